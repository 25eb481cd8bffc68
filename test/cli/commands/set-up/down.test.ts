// Stopping the daemon: what counts is its process, not its socket.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { homePaths } from '../../../../src/domain/names/home.ts'
import { tempDir } from '../../../helpers/temp-dir.ts'
import { builtCli } from '../../built-cli.ts'
import { standInDaemon } from '../../stand-in-daemon.ts'

const { run, start } = builtCli()

/** Has the home on its command line, as a daemon has, and is named in the home as its holder. */
async function holder(home: string, given = home): Promise<ChildProcess & { pid: number }> {
  const program = 'console.log("up"); setTimeout(() => {}, 60_000)'
  const child = spawn(process.execPath, ['-e', program, '--', '--home', given])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout!, 'data')
  writeFileSync(homePaths(home).holder, JSON.stringify({ pid: child.pid }))
  return child as ChildProcess & { pid: number }
}

test('down waits for a daemon that does not listen any more, and says stopped when its process is gone', async () => {
  const home = tempDir()
  const daemon = await holder(home)
  const child = start(home, ['down'])
  let said = ''
  child.stdout!.on('data', (text) => (said += text))
  let told = ''
  child.stderr!.on('data', (text) => (told += text))
  const closed = once(child, 'close')
  await once(child.stderr!, 'data')
  expect([said, told]).toEqual(['', `Waiting for the daemon (pid ${daemon.pid}) to end…\n`])
  daemon.kill('SIGKILL')
  expect(await closed).toEqual([0, null])
  expect(said).toBe(`Daemon stopped: pid ${daemon.pid}\n`)
})

test('down stops a daemon that begins to answer meanwhile', async () => {
  const home = tempDir()
  const daemon = await holder(home)
  const down = run(home, ['down', '--json'])
  const health = { version: '1.2.3', pid: daemon.pid, home, stats: { running: 2, waiting_input: 0 } }
  await standInDaemon(
    {
      'GET /api/health': () => health,
      'POST /api/shutdown': () => {
        daemon.kill('SIGKILL')
        return { stopping: true }
      },
    },
    home,
  )
  const { code, stdout } = await down
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({ stopped: true, pid: daemon.pid, running: 2, warning: null })
})

test('a pid that was left over and is somebody else’s by now is not waited for', async () => {
  const home = tempDir()
  await holder(home, '/another/home')
  expect(await run(home, ['down'])).toEqual({ code: 0, stdout: 'Daemon is not running\n', stderr: '' })
})
