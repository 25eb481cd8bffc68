import { rmSync } from 'node:fs'

const TRIES = 40
const PAUSE_MS = 50

/** Also one in which somebody who is just ending still writes: Node's own retries do not look again at what is in it. */
export function removeDir(dir: string): void {
  for (let tried = 1; ; tried++) {
    try {
      rmSync(dir, { recursive: true, force: true })
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY' || tried === TRIES) throw error
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
  }
}
