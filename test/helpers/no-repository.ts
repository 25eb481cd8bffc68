// A machine without repositories.
import type { WorkTree } from '../../src/ports/files/work-tree.ts'

export const noRepository: WorkTree = {
  base: async () => undefined,
  changes: async () => ({ kind: 'unknown', why: 'there are no repositories here' }),
  diff: async () => undefined,
}
