import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { environOf } from '../../helpers/environ-of.ts'
import { childNames } from '../../helpers/process-tree.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import {
  commands,
  gone,
  marked,
  plainDescriptors,
  programPath,
  type RunWorld,
  readIfThere,
  runWorld,
  SHELLS,
} from '../run-world.ts'

const processes = new LinuxProcesses()
/** Works until the file `go` appears in its directory. */
const untilGo = (code: number) => [
  'sh',
  '-c',
  `until [ -e go ]; do sleep 0.02; done; echo done; exit ${code}`,
]
const go = (world: RunWorld) => writeFileSync(`${world.work}/go`, '')
const ended = (child: { exitCode: number | null; signalCode: string | null }) =>
  waitFor('the pane to end', () => child.exitCode !== null || child.signalCode !== null)

describe.each(SHELLS)('the shim under %s', (shell) => {
  test.each([0, 7, 255])('records exit code %i', async (code) => {
    const world = runWorld(shell)
    const { runId } = await world.run(['sh', '-c', `exit ${code}`])
    const exit = await world.exited(runId)
    expect(exit).toMatchObject({ code, signal: null, bootId: processes.bootId })
    expect(Math.abs(Date.now() - exit.atMs)).toBeLessThan(60_000)
    expect(statSync(`${world.home.exits}/${runId}.json`).mode & 0o777).toBe(0o600)
  })

  test.each(['KILL', 'TERM', 'SEGV'])('records death by SIG%s', async (signal) => {
    const world = runWorld(shell)
    const { runId } = await world.run(['sh', '-c', `kill -${signal} $$`])
    expect(await world.exited(runId)).toMatchObject({ code: null, signal })
    expect(await world.files.stderrTail(runId, 1000)).toBe('')
  })

  test('a keeper that is told to end, again and again, still records the exit', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(untilGo(5))
    await world.started(runId)
    const keeper = await world.stage('keep', runId)
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGINT'] as const) {
      process.kill(keeper, signal)
      await waitFor(
        `${signal} to arrive`,
        () => !/^(Sig|Shd)Pnd:.*[1-9a-f]/m.test(readIfThere(`/proc/${keeper}/status`) ?? ''),
      )
    }
    go(world)
    expect(await world.exited(runId)).toMatchObject({ code: 5 })
  })

  test('a run whose claim is taken never starts', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'])
    const argv = await world.files.prepare(launch)
    expect(await world.files.claim(launch.runId)).toBe(true)
    const pane = world.start(argv)
    await ended(pane)
    expect(pane.exitCode).toBe(1)
    expect(await world.files.started(launch.runId)).toBeUndefined()
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('a run whose start was voided after the claim never starts and leaves no exit record', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'])
    const argv = await world.files.prepare(launch)
    expect(await world.files.voidStart(launch.runId)).toBe(true)
    world.start(argv)
    await waitFor('the shim to try', () => readIfThere(`${world.home.run(launch.runId)}/pid.new`))
    const keeping = () =>
      commands().some(({ args }) => args[2] === 'keep' && args[3] === world.home.run(launch.runId))
    await waitFor('the keeper to give up', () => !keeping())
    expect(await world.files.exits()).toEqual([])
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('of many shims racing for one run, one starts the agent', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['sh', '-c', 'echo ran >>ran'])
    const argv = await world.files.prepare(launch)
    const panes = Array.from({ length: 6 }, () => world.start(argv))
    await world.exited(launch.runId)
    await waitFor('the losers to end', () => panes.filter(({ exitCode }) => exitCode === 1).length === 5)
    expect(readFileSync(`${world.work}/ran`, 'utf8')).toBe('ran\n')
  })

  test('the environment arrives byte for byte, and nothing else with it', async () => {
    const world = runWorld(shell)
    const env = {
      PATH: process.env.PATH ?? '',
      LINES_: '\n\none\r\ntwo\\n\n\n',
      QUOTES: `'"\`$(touch hacked)\${HOME}; & | > < * ? ~ # !`,
      BACKSLASHES: '\\ \\\\ \\t \\c \\0101 \\x41 \\',
      UTF8: 'äß漢字🦊\u0081\u0088\u0098\u07ff\uffff',
      CONTROLS: Array.from({ length: 31 }, (_, index) => String.fromCharCode(index + 1)).join(''),
      BLANKS: '  \t ',
      EMPTY: '',
      LARGE: '\\x🦊\n'.repeat(12_500),
      line: 'lower case',
      value: 'lower case',
      IFS: 'x=',
      LC_ALL: 'C.UTF-8',
    }
    const { runId } = await world.run([process.execPath, '-p', 'JSON.stringify(process.env)'], { env })
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
    const { SHLVL: _bashAddsIt, ...seen } = JSON.parse(await world.events(runId))
    expect(seen).toEqual({
      ...env,
      PWD: world.work,
      PATH: `${world.home.bin}:${env.PATH}`,
      HOLDFAST_HOME: world.home.home,
      HOLDFAST_RUN: runId,
      HOLDFAST_TASK_ID: '20251118-153042-test',
      HOLDFAST_SESSION_DIR: `${world.root}/session`,
    })
    expect(readdirSync(world.work)).toEqual([])
  })

  test('argv and the prompt arrive byte for byte', async () => {
    const world = runWorld(shell)
    const hostile = [
      '',
      ' ',
      '-n',
      '--',
      '$(touch hacked)',
      '`id`',
      `'"\\`,
      'a\nb\n',
      '*',
      '🦊',
      '\x01\x1b[31m',
      ';',
    ]
    const stdin = `${String.fromCharCode(...Array.from({ length: 127 }, (_, i) => i + 1))}🦊`.repeat(8000)
    const echo = `process.stdin.pipe(process.stdout); process.stderr.write(JSON.stringify(process.argv.slice(1)))`
    const { runId } = await world.run([process.execPath, '-e', echo, '--', ...hostile], { stdin })
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
    expect(JSON.parse(await world.files.stderrTail(runId, 10_000))).toEqual(hostile)
    expect((await world.events(runId)) === stdin).toBe(true)
    expect(readdirSync(world.work)).toEqual([])
  })

  test('the agent has the recorded pid, its own session, default signals and no stray descriptors', async () => {
    const world = runWorld(shell)
    const { runId, pane } = await world.run(['sleep', '60'])
    const { pid, startTicks, bootId } = await world.started(runId)
    await waitFor('its sleep', () => readIfThere(`/proc/${pid}/stat`)?.includes('(sleep) S'))
    expect(processes.isAlive({ pid, startTicks })).toBe(true)
    expect(bootId).toBe(processes.bootId)
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    expect(status).toMatch(/SigBlk:\t0+\nSigIgn:\t0+\n/)
    expect(status).toMatch(new RegExp(`NSsid:\t${pid}\n`))
    expect(readdirSync(`/proc/${pid}/fd`)).toEqual(await plainDescriptors())
    expect(readlinkSync(`/proc/${pid}/fd/1`)).toBe(`${world.home.run(runId)}/events.jsonl`)
    expect(readFileSync(`/proc/${pid}/fdinfo/1`, 'utf8')).toMatch(/flags:\t0\d*2001\n/)
    const others = [pane.pid!, await world.stage('keep', runId), await world.stage('window', runId)]
    expect(marked(pid)).toBe(true)
    expect(others.map(marked)).toEqual([false, false, false])
  })

  test('a marker in the environment of tmux reaches neither the keeper nor the agent', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['sleep', '60'])
    world.start(await world.files.prepare(launch), { HOLDFAST_RUN: 'a-stranger' })
    const { pid } = await world.started(launch.runId)
    expect((await environOf(pid)).filter((entry) => entry.startsWith('HOLDFAST_RUN='))).toEqual([
      `HOLDFAST_RUN=${launch.runId}`,
    ])
    const others = [await world.stage('keep', launch.runId), await world.stage('window', launch.runId)]
    expect(others.map(marked)).toEqual([false, false])
  })

  test('the umask of tmux is the agent’s, and the pid file is ours alone', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['sh', '-c', 'umask'])
    const argv = await world.files.prepare(launch)
    world.start(['sh', '-c', 'umask 022; exec "$@"', 'sh', ...argv])
    await world.exited(launch.runId)
    expect(await world.events(launch.runId)).toMatch(/^0*22\n$/)
    expect(statSync(`${world.home.run(launch.runId)}/pid`).mode & 0o777).toBe(0o600)
  })

  test.each(['%3N', '3N'])('a date that makes %s of the milliseconds still gives a time', async (letters) => {
    const world = runWorld(shell)
    writeFileSync(`${world.root}/bin/date`, `#!/bin/sh\necho '1700000000 ${letters}'\n`, { mode: 0o755 })
    const { runId } = await world.run(['true'])
    expect(await world.exited(runId)).toMatchObject({ atMs: 1_700_000_000_000 })
  })

  test('when the keeper is killed, the agent lives on, and no exit is claimed', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(untilGo(0))
    const agent = await world.started(runId)
    const keeper = await world.stage('keep', runId)
    process.kill(keeper, 'SIGKILL')
    await gone(keeper)
    expect(processes.isAlive(agent)).toBe(true)
    go(world)
    await waitFor('the agent to end', () => !processes.isAlive(agent))
    expect(await world.events(runId)).toBe('done\n')
    expect(await world.files.exits()).toEqual([])
  })

  test.each(['SIGHUP', 'SIGKILL', 'SIGTERM'] as const)(
    'the agent finishes and is recorded after the pane died by %s',
    async (signal) => {
      const world = runWorld(shell)
      const { runId, pane } = await world.run(untilGo(9))
      const agent = await world.started(runId)
      process.kill(-pane.pid!, signal)
      await ended(pane)
      expect(processes.isAlive(agent)).toBe(true)
      go(world)
      expect(await world.exited(runId)).toMatchObject({ code: 9 })
      expect(await world.events(runId)).toBe('done\n')
    },
  )

  test('a directory or a program that is missing is told on stderr and by the exit code', async () => {
    const world = runWorld(shell)
    const nowhere = await world.run(['true'], { cwd: `${world.root}/nowhere` })
    expect(await world.exited(nowhere.runId)).toMatchObject({ code: 126 })
    expect(await world.files.stderrTail(nowhere.runId, 1000)).toContain('nowhere')
    const nobody = await world.run(['no-such-agent'])
    expect(await world.exited(nobody.runId)).toMatchObject({ code: 127 })
    expect(await world.files.stderrTail(nobody.runId, 1000)).toContain('no-such-agent')
  })

  test('without its environment the agent is not started', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'])
    const argv = await world.files.prepare(launch)
    await world.files.forgetSecrets(launch.runId)
    world.start(argv)
    expect(await world.exited(launch.runId)).toMatchObject({ code: 126 })
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('a helper that is killed before the agent starts is no agent that cannot start', async () => {
    const world = runWorld(shell)
    writeFileSync(`${world.root}/bin/ln`, '#!/bin/sh\nkill -KILL $$\n', { mode: 0o755 })
    const { runId } = await world.run(['touch', 'ran'])
    expect(await world.exited(runId)).toMatchObject({ code: null, signal: 'KILL' })
    expect(await world.files.started(runId)).toBeUndefined()
    expect(existsSync(`${world.work}/ran`)).toBe(false)
  })

  test('an exits directory that cannot be written delays the record, which then says so', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(untilGo(3))
    const { pid } = await world.started(runId)
    const keeper = await world.stage('keep', runId)
    rmSync(world.home.exits, { recursive: true })
    writeFileSync(world.home.exits, 'in the way')
    go(world)
    await gone(pid)
    await waitFor('the keeper to pause', () => childNames(keeper).includes('sleep'))
    expect(await world.events(runId)).toBe('done\n')
    expect(await world.files.exit(runId)).toBeUndefined()
    rmSync(world.home.exits)
    expect(await world.exited(runId)).toMatchObject({ code: 3, late: true })
  })

  test('a keeper that waits to write its record ends with the run directory', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(untilGo(0))
    const { pid } = await world.started(runId)
    const keeper = await world.stage('keep', runId)
    rmSync(world.home.exits, { recursive: true })
    writeFileSync(world.home.exits, 'in the way')
    go(world)
    await gone(pid)
    rmSync(world.home.run(runId), { recursive: true })
    await gone(keeper)
  })

  test('an exits directory that was deleted is made again for the record', async () => {
    const world = runWorld(shell)
    const { runId } = await world.run(untilGo(4))
    await world.started(runId)
    rmSync(world.home.exits, { recursive: true })
    go(world)
    expect(await world.exited(runId)).toMatchObject({ code: 4 })
  })
})

describe('without setsid', () => {
  const tools = ['date', 'env', 'ln', 'mkdir', 'mv', 'tail']
  const worldWith = (names: readonly string[]) => {
    const world = runWorld('dash')
    const bin = `${world.root}/tools`
    mkdirSync(bin)
    for (const name of names) symlinkSync(programPath(name), `${bin}/${name}`)
    symlinkSync(programPath('dash'), `${bin}/sh`)
    return Object.assign(world, { path: bin })
  }

  test('perl makes the session', async () => {
    const world = worldWith([...tools, 'perl'])
    const { runId } = await world.run(['sh', '-c', 'echo hi; cut -d" " -f1,6 /proc/$$/stat; exit 3'])
    expect(await world.exited(runId)).toMatchObject({ code: 3 })
    const { pid } = await world.started(runId)
    expect(await world.events(runId)).toBe(`hi\n${pid} ${pid}\n`)
  })

  test('and without perl, the reason is on stderr and the run is over', async () => {
    const world = worldWith(tools)
    const { runId } = await world.run(['true'])
    expect(await world.exited(runId)).toMatchObject({ code: 127 })
    expect(await world.files.stderrTail(runId, 1000)).toContain('neither setsid nor perl')
    expect(await world.files.started(runId)).toBeUndefined()
  })
})
