import { expect, test } from 'vitest'
import { exec } from '../../../src/system/processes/exec.ts'
import { SHIM } from '../run-world.ts'

test('shellcheck has nothing to say about the shim', async ({ skip }) => {
  const { code, stdout, stderr } = await exec(['shellcheck', '--shell=sh', SHIM])
  if (code === 127 && !process.env.CI) skip('shellcheck not found: apt install shellcheck')
  expect({ code, said: stdout + stderr }).toEqual({ code: 0, said: '' })
})
