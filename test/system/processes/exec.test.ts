import { closeSync, openSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { exec, runInherited, spawnDetached } from '../../../src/system/processes/exec.ts'
import { readStat } from '../../../src/system/processes/proc-stat.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { killIfThere } from '../run-world.ts'

test('a program gets its arguments, input and environment as they are, and tells what it said', async () => {
  const cwd = tempDir()
  const result = await exec(['sh', '-c', 'cat; pwd; echo "$A $1" >&2; exit 3', 'sh', '$(id) "'], {
    cwd,
    env: { PATH: process.env.PATH, A: 'a;b' },
    input: 'in\n',
  })
  expect(result).toEqual({
    code: 3,
    signal: null,
    stdout: `in\n${cwd}\n`,
    stderr: 'a;b $(id) "\n',
    timedOut: false,
  })
})

test('a program that cannot be started is told as a shell tells it', async () => {
  expect(await exec(['no-such-program'])).toMatchObject({ code: 127, stdout: '' })
  expect(await exec(['/etc/passwd'])).toMatchObject({ code: 126 })
})

test('a program that takes too long is killed, though its child holds the pipes', async () => {
  const result = await exec(['sh', '-c', 'echo $$; sleep 300 & echo $!; wait'], { timeoutMs: 500 })
  const [shell, child] = result.stdout.split('\n').map(Number)
  onTestFinished(() => killIfThere(child!))
  expect(result).toMatchObject({ code: null, signal: 'SIGKILL', timedOut: true })
  expect(readStat(shell!)).toBeUndefined()
})

test('output is kept up to a limit, and the rest does not block the program', async () => {
  const result = await exec(['sh', '-c', 'yes | head -c 1000000; echo done >&2'], { mostBytes: 5 })
  expect(result).toMatchObject({ code: 0, stdout: 'y\ny\ny', stderr: 'done\n' })
})

test('a program that does not read its input is no error', async () => {
  expect(await exec(['true'], { input: 'x'.repeat(1_000_000) })).toMatchObject({ code: 0 })
})

test('a detached program leads its own session and writes to the log', async () => {
  const log = `${tempDir()}/log`
  const descriptor = openSync(log, 'a')
  const { pid, exited } = await spawnDetached(
    ['sh', '-c', 'echo out; echo err >&2; cut -d" " -f6 /proc/$$/stat; exit 4'],
    {
      env: { PATH: process.env.PATH },
      log: descriptor,
    },
  )
  closeSync(descriptor)
  expect(await exited).toBe(4)
  await waitFor('the log', () => readFileSync(log, 'utf8') === `out\nerr\n${pid}\n`)
  await expect(spawnDetached(['no-such-program'], { env: {}, log: 'ignore' })).rejects.toThrow('ENOENT')
})

test('a program on our terminal gives its exit code, or its signal as a shell would', async () => {
  expect(await runInherited(['sh', '-c', 'exit 6'])).toBe(6)
  expect(await runInherited(['sh', '-c', 'kill -TERM $$'])).toBe(143)
  expect(await runInherited(['no-such-program'])).toBe(127)
  expect(process.listenerCount('SIGQUIT')).toBe(0)
})
