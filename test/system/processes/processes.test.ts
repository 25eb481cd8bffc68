import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { build } from 'esbuild'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acceptsConnections } from '../../../src/cli/starting/reach-daemon.ts'
import { systemIds } from '../../../src/system/ids.ts'
import { parseStat, readStat } from '../../../src/system/processes/proc-stat.ts'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { execForEver } from '../../helpers/exec-for-ever.ts'
import { oneAfterAnother } from '../../helpers/one-after-another.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { killIfThere, readIfThere } from '../run-world.ts'

const processes = new LinuxProcesses()

/** Its memory takes a while to be given back: its first thread has ended long before its last one. */
const LISTENS = `
  globalThis.memory = Buffer.alloc(300e6, 1)
  require('node:net').createServer().listen(process.argv[1])`

/** Starts `sh -c script` as the agent of a run. The script tells its processes' pids in the file `pids`. */
async function agent(script: string, lines: number) {
  const runId = systemIds.run()
  const cwd = tempDir()
  const child = start(['sh', '-c', script], { HOLDFAST_RUN: runId, PATH: process.env.PATH }, cwd)
  onTestFinished(async () => {
    for (const pid of readIfThere(`${cwd}/pids`)?.match(/\d+/g) ?? []) killIfThere(Number(pid))
  })
  const pids = await waitFor('the pids', () => {
    const told = readIfThere(`${cwd}/pids`)?.match(/\d+(?=\n)/g) ?? []
    return told.length >= lines && told.map(Number)
  })
  return { runId, child, pids, found: async () => pidsOf(await processes.carrying([runId]), runId) }
}

function start(argv: readonly string[], env: NodeJS.ProcessEnv, cwd = '/'): ChildProcess {
  const child = spawn(argv[0]!, argv.slice(1), { detached: true, stdio: 'ignore', env, cwd })
  onTestFinished(() => killIfThere(child.pid!))
  return child
}

const pidsOf = (found: Map<string, { pid: number }[]>, runId: string) =>
  found
    .get(runId)
    ?.map(({ pid }) => pid)
    .sort((a, b) => a - b)
const sorted = (...pids: (number | undefined)[]) => pids.map(Number).sort((a, b) => a - b)

/** A sleep that told its pid, in every way a tool may start it. */
const TOLD_SLEEP = `'echo $$ >>pids; exec sleep 60'`

describe('what carries a run', () => {
  test('includes a tool that made its own session', async () => {
    const { child, pids, found } = await agent(`setsid sh -c ${TOLD_SLEEP} & wait`, 1)
    expect(await found()).toEqual(sorted(child.pid, pids[0]))
  })

  test('includes a tool that made its own session after the agent is gone', async () => {
    const { child, pids, found } = await agent(`setsid sh -c ${TOLD_SLEEP} & wait`, 1)
    process.kill(child.pid!, 'SIGKILL')
    await waitFor('the agent to end', () => child.signalCode)
    expect(await found()).toEqual(pids)
  })

  test('includes what cleared its environment but descends', async () => {
    const { child, pids, found } = await agent(`env -i PATH="$PATH" setsid sh -c ${TOLD_SLEEP} & wait`, 1)
    expect(await found()).toEqual(sorted(child.pid, pids[0]))
  })

  test('includes what cleared its environment and lost its parent, within the session of the agent', async () => {
    const { child, pids, found } = await agent(
      `(env -i PATH="$PATH" sh -c ${TOLD_SLEEP} &); exec sleep 60`,
      1,
    )
    await waitFor('it to be an orphan', () => readStat(pids[0]!)?.ppid !== child.pid)
    expect(await found()).toEqual(sorted(child.pid, pids[0]))
  })

  test('includes the rest of a session whose leader is gone', async () => {
    const script = `(env -i PATH="$PATH" sh -c ${TOLD_SLEEP} &); (sh -c ${TOLD_SLEEP} &); exec sleep 60`
    const { child, pids, found } = await agent(script, 2)
    process.kill(child.pid!, 'SIGKILL')
    await waitFor('the agent to end', () => child.signalCode)
    expect(await found()).toEqual(sorted(...pids))
  })

  test('leaves the rest of a living stranger’s session alone', async () => {
    const runId = systemIds.run()
    const cwd = tempDir()
    const script = `HOLDFAST_RUN=${runId} sh -c ${TOLD_SLEEP} & sh -c ${TOLD_SLEEP} & wait`
    const stranger = start(['sh', '-c', script], { PATH: process.env.PATH }, cwd)
    onTestFinished(() => killIfThere(-stranger.pid!))
    await waitFor('both', () => readIfThere(`${cwd}/pids`)?.match(/\n/g)?.length === 2)
    expect(pidsOf(await processes.carrying([runId]), runId)).toHaveLength(1)
  })

  test('is told apart by the exact run id, many runs in one scan', async () => {
    const ids = ['run-a', 'run-a2', 'run-b'].map((id) => `${id}-${process.pid}`)
    const children = ids.map((HOLDFAST_RUN) =>
      start(['sleep', '60'], { HOLDFAST_RUN, PATH: process.env.PATH }),
    )
    const other = start(['sleep', '60'], { NOT_HOLDFAST_RUN: ids[0], PATH: process.env.PATH })
    const running = (child: ChildProcess) => readIfThere(`/proc/${child.pid}/comm`) === 'sleep\n'
    await waitFor('all to run', () => [...children, other].every(running))
    const found = await processes.carrying([...ids, 'run-nobody'])
    expect(ids.map((id) => pidsOf(found, id))).toEqual(children.map(({ pid }) => [pid]))
    expect(found.get('run-nobody')).toEqual([])
  })

  test('is found behind an environment larger than any buffer we start with', async () => {
    const runId = systemIds.run()
    const large = Object.fromEntries(['A', 'B', 'C'].map((name) => [name, 'x'.repeat(100_000)]))
    const child = start(['sleep', '60'], { ...large, PATH: process.env.PATH, HOLDFAST_RUN: runId })
    await waitFor('it to run', () => readIfThere(`/proc/${child.pid}/comm`) === 'sleep\n')
    expect(pidsOf(await processes.carrying([runId]), runId)).toEqual([child.pid])
  })

  test('includes those that become another program again and again, at every look', async () => {
    const runId = systemIds.run()
    const all = sorted(...execForEver(8, { HOLDFAST_RUN: runId }).pids)
    for (let look = 0; look < 8; look++) {
      expect(pidsOf(await processes.carrying([runId]), runId)).toEqual(all)
      expect(pidsOf(await processes.marked(), runId)).toEqual(all)
    }
  })

  test('includes the living one of those that start a child and end, one after another', async () => {
    const runId = systemIds.run()
    oneAfterAnother({ HOLDFAST_RUN: runId })
    for (let look = 0; look < 8; look++)
      expect(pidsOf(await processes.carrying([runId]), runId)).not.toEqual([])
  })

  test('never includes ourselves or our session, though we are marked and started a marked process', async () => {
    const HOLDFAST_RUN = systemIds.run()
    const script = await bundled(`
      import { spawn } from 'node:child_process'
      import { LinuxProcesses } from ${JSON.stringify(new URL('../../../src/system/processes/processes.ts', import.meta.url).pathname)}
      const { HOLDFAST_RUN, PATH } = process.env
      const [marked, plain] = [{ HOLDFAST_RUN, PATH }, { PATH }].map((env) => spawn('sleep', ['60'], { env }))
      await Promise.all([marked, plain].map((child) => new Promise((resolve) => child.once('spawn', resolve))))
      const found = (await new LinuxProcesses().carrying([HOLDFAST_RUN])).get(HOLDFAST_RUN)
      for (const child of [marked, plain]) child.kill()
      process.stdout.write(JSON.stringify({ marked: marked.pid, found: found.map(({ pid }) => pid) }))`)
    const child = spawn(process.execPath, [script], {
      detached: true,
      env: { HOLDFAST_RUN, PATH: process.env.PATH },
    })
    onTestFinished(() => killIfThere(-child.pid!))
    const told = JSON.parse(Buffer.concat(await child.stdout.toArray()).toString())
    expect(told.found).toEqual([told.marked])
  })
})

async function bundled(contents: string): Promise<string> {
  const dir = tempDir()
  const outfile = `${dir}/script.mjs`
  await build({
    stdin: { contents, resolveDir: dir },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  })
  return outfile
}

describe('CPU time', () => {
  const untilMore = (runId: string, than: number) =>
    waitFor('more CPU time', async () => ((await processes.cpuMs([runId])).get(runId) ?? 0) > than)

  test('grows with a busy tool below a resting agent; that of a tree at rest stays; of nobody there is none', async () => {
    const busy = await agent('setsid sh -c "echo \\$\\$ >>pids; while :; do :; done" & wait', 1)
    const resting = await agent(`setsid sh -c ${TOLD_SLEEP} & wait`, 1)
    const nobody = systemIds.run()
    const look = () => processes.cpuMs([busy.runId, resting.runId, nobody])
    const before = await look()
    await untilMore(busy.runId, before.get(busy.runId)! + 200)
    const after = await look()
    // Its start may still be counted in.
    expect(after.get(resting.runId)! - before.get(resting.runId)!).toBeLessThanOrEqual(50)
    expect(after.has(nobody)).toBe(false)
  })

  test('of a tool that has ended stays with the agent that waited for it', async () => {
    const busyFor = `'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'`
    const { runId, child } = await agent(`sh -c ${busyFor}; echo $$ >>pids; sleep 60; :`, 1)
    const { cpuMs } = readStat(child.pid!)!
    expect(cpuMs).toBeGreaterThanOrEqual(50)
    expect((await processes.cpuMs([runId])).get(runId)).toBeGreaterThanOrEqual(cpuMs)
  })
})

describe('identity', () => {
  test('a process with the same pid but another start is a stranger: not alive, not signalled', async () => {
    const child = start(['sleep', '60'], { PATH: process.env.PATH })
    const { pid, startTicks } = await waitFor('its stat', () => readStat(child.pid!))
    expect(processes.isAlive({ pid, startTicks })).toBe(true)
    expect(processes.isAlive({ pid, startTicks: startTicks + 1 })).toBe(false)
    expect(processes.signal({ pid, startTicks: startTicks + 1 }, 'SIGKILL')).toBe(false)
    expect(processes.isAlive({ pid, startTicks })).toBe(true)
    expect(processes.signal({ pid, startTicks }, 'SIGKILL')).toBe(true)
    await waitFor('its end', () => child.signalCode === 'SIGKILL')
    expect(processes.signal({ pid, startTicks }, 'SIGKILL')).toBe(false)
    expect(processes.isTaken(pid)).toBe(false)
  })

  test('a zombie counts as gone', async () => {
    // The shell becomes a sleep that never waits for its child. A child that ended before, the shell would wait for.
    const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
    onTestFinished(() => killIfThere(parent.pid!))
    const [line] = await parent.stdout.take(1).toArray()
    const pid = Number(line)
    await waitFor('exec', () => readIfThere(`/proc/${parent.pid}/comm`) === 'sleep\n')
    process.kill(pid, 'SIGKILL')
    const { startTicks } = await waitFor('the zombie', () => {
      const stat = readStat(pid)
      return stat?.state === 'Z' && stat
    })
    expect(processes.isAlive({ pid, startTicks })).toBe(false)
    expect(processes.isTaken(pid)).toBe(true)
  })

  test('a process is there until its last thread has ended, and found by its run until then', async () => {
    for (let time = 0; time < 5; time++) {
      const runId = systemIds.run()
      const socket = join(tempDir(), 'socket')
      const child = start([process.execPath, '-e', LISTENS, socket], { HOLDFAST_RUN: runId })
      const { pid, startTicks } = await waitFor('it to listen', async () =>
        (await acceptsConnections(socket)) ? readStat(child.pid!) : undefined,
      )
      process.kill(pid, 'SIGKILL')
      while ((await processes.carrying([runId])).get(runId)!.length > 0);
      expect(await acceptsConnections(socket)).toBe(false)
      expect(processes.isAlive({ pid, startTicks })).toBe(false)
    }
  })

  test('a process whose first thread is over counts as alive', async () => {
    const socket = join(tempDir(), 'socket')
    const child = start([process.execPath, '-e', LISTENS, socket], {})
    const { pid, startTicks } = await waitFor('it to listen', async () =>
      (await acceptsConnections(socket)) ? readStat(child.pid!) : undefined,
    )
    process.kill(pid, 'SIGKILL')
    while (processes.isAlive({ pid, startTicks }));
    expect(await acceptsConnections(socket)).toBe(false)
  })

  test('a name with blanks and parentheses does not shift the fields', () => {
    const rest = `S 7 8 9 0 -1 0 ${'0 '.repeat(4)}1 2 3 4 ${'0 '.repeat(4)}4242 99`
    expect(parseStat(`5 (a) R (b c) ${rest}\n`)).toEqual({
      pid: 5,
      state: 'S',
      ppid: 7,
      group: 8,
      session: 9,
      foregroundGroup: -1,
      isExiting: false,
      threads: 0,
      startTicks: 4242,
      cpuMs: 100,
    })
    expect(parseStat('')).toBeUndefined()
  })
})
