import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { processIdentities } from '../../../src/system/processes/identities.ts'
import { readStat } from '../../../src/system/processes/proc-stat.ts'
import { waitFor } from '../../helpers/wait-for.ts'

function sleeper() {
  const child = spawn('sleep', ['60'])
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('a process is known by its pid and its start, as long as it lives', async () => {
  const { bootId, identityOf } = processIdentities()
  expect(bootId).toMatch(/^[0-9a-f-]{36}$/)
  const child = sleeper()
  const { startTicks } = readStat(child.pid!)!
  expect(identityOf(child.pid!)).toEqual({ pid: child.pid, startTicks })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(identityOf(child.pid!)).toBeUndefined()
})

test('a zombie is gone', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60'])
  onTestFinished(() => void parent.kill('SIGKILL'))
  const pid = Number(String((await once(parent.stdout, 'data'))[0]))
  await waitFor('the zombie', () => readStat(pid)?.state === 'Z')
  expect(processIdentities().identityOf(pid)).toBeUndefined()
})

test('without /proc the pid is all there is', async () => {
  const { bootId, identityOf } = processIdentities(false)
  expect(bootId).toBe('')
  const child = sleeper()
  expect(identityOf(child.pid!)).toEqual({ pid: child.pid, startTicks: 0 })
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(identityOf(child.pid!)).toBeUndefined()
})
