import { statSync } from 'node:fs'
import { HoldfastError } from '../../src/domain/errors.ts'
import type { Apart } from '../../src/ports/run/apart.ts'

/** Notes what it is told to start. */
export class MemoryApart implements Apart {
  readonly started: { readonly argv: readonly string[]; readonly cwd: string }[] = []

  async start(argv: readonly string[], cwd: string): Promise<void> {
    if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
      throw new HoldfastError('DIRECTORY_NOT_FOUND', `There is no directory '${cwd}'.`)
    this.started.push({ argv, cwd })
  }
}
