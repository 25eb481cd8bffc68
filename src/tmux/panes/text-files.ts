// Owns the files through which texts reach tmux: private, and removed as soon as tmux has answered.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { diskCode } from '../../domain/system-error.ts'

export class TextFiles {
  #dir: string
  #written = 0

  constructor(socket: string) {
    this.#dir = `${socket}.texts`
  }

  /** Removes what a crash left behind. */
  clear = () => rm(this.#dir, { recursive: true, force: true })

  /** Removes the file afterwards: a text that a hung server has not read by then is never pasted. */
  async withTextFile<T>(text: string, use: (file: string) => Promise<T>): Promise<T> {
    const file = `${this.#dir}/${++this.#written}`
    try {
      await this.#write(file, text)
      return await use(file)
    } finally {
      // A file that cannot be removed now does no harm; it is removed at the next start.
      await rm(file, { force: true }).catch(() => {})
    }
  }

  async #write(file: string, text: string): Promise<void> {
    try {
      await mkdir(this.#dir, { recursive: true, mode: 0o700 })
      await writeFile(file, text, { mode: 0o600, flag: 'wx' })
    } catch (cause) {
      const code = diskCode(cause) ?? 'HOME_NOT_WRITABLE'
      throw new HoldfastError(code, `A text for tmux cannot be written: ${messageOf(cause)}`, { cause })
    }
  }
}
