import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Apart } from '../../src/ports/run/apart.ts'
import { tempDir } from '../helpers/temp-dir.ts'

export type ApartWorld = {
  readonly apart: Apart
  /** Where a program ran that was told to touch this file; waits for it. */
  readonly ranIn: (file: string) => Promise<string>
}

/** What touches the file and writes its working directory into it. */
export const touching = (file: string) => ['sh', '-c', 'pwd -P > "$0.tmp"; mv "$0.tmp" "$0"', file]

/** Every Apart passes this: the one that starts processes, and the one that only notes it. */
export function apartContract(name: string, open: () => ApartWorld): void {
  test(`${name}: a program is started in its place`, async () => {
    const { apart, ranIn } = open()
    const dir = tempDir()
    const file = join(dir, 'ran')
    await apart.start(touching(file), dir)
    expect(await ranIn(file)).toBe(dir)
  })

  test(`${name}: a directory that is not there is said, and nothing is started`, async () => {
    const { apart } = open()
    for (const dir of ['/no/such/directory', '/etc/passwd'])
      await expect(apart.start(['true'], dir)).rejects.toMatchObject({ code: 'DIRECTORY_NOT_FOUND' })
  })
}
