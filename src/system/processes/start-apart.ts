// Owns starting a program that goes on when the daemon or a terminal ends.
import { stat } from 'node:fs/promises'
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { Apart } from '../../ports/run/apart.ts'
import { spawnDetached } from './exec.ts'

/** Of the daemon's environment, the program gets only the PATH. */
export const startApart = (path: string): Apart => ({
  async start(argv, cwd) {
    if (!(await isDirectory(cwd)))
      throw new HoldfastError('DIRECTORY_NOT_FOUND', `There is no directory '${printable(cwd, 200)}'.`)
    await spawnDetached(argv, { cwd, env: { PATH: path }, log: 'ignore' })
  },
})

const isDirectory = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
