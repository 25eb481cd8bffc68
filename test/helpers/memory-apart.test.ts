import { expect, test } from 'vitest'
import { apartContract } from '../contract/apart-contract.ts'
import { MemoryApart } from './memory-apart.ts'

apartContract('noted', () => {
  const apart = new MemoryApart()
  return { apart, ranIn: async (file) => apart.started.find(({ argv }) => argv.includes(file))!.cwd }
})

test('what was refused is not noted', async () => {
  const apart = new MemoryApart()
  await expect(apart.start(['true'], '/no/such/directory')).rejects.toThrow()
  expect(apart.started).toEqual([])
})
