import { expect, test } from 'vitest'
import { freeSpace } from '../../../src/domain/text/free-space.ts'

const MB = 1024 * 1024

test.each([
  [0, 'nearly_full', '0 B free'],
  [99 * MB, 'nearly_full', '99 MB free'],
  [100 * MB, 'little', '100 MB free'],
  [1023 * MB, 'little', '1023 MB free'],
  [1024 * MB, 'enough', '1 GB free'],
  [72.5 * 1024 * MB, 'enough', '72.5 GB free'],
] as const)('%i bytes are %s: %s', (bytes, state, words) =>
  expect(freeSpace(bytes)).toEqual({ state, words }),
)
