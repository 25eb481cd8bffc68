import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { RunId } from '../../../src/domain/names/ids.ts'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { environOf } from '../../helpers/environ-of.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import {
  gone,
  plainDescriptors,
  programPath,
  type RunWorld,
  readIfThere,
  runWorld,
  SHELLS,
} from '../run-world.ts'

const processes = new LinuxProcesses()
const IGNORES_SIGTERM = /^SigIgn:\t[0-9a-f]*[4-7c-f][0-9a-f]{3}$/m

const feederOf = (world: RunWorld, runId: RunId) => waitFor('the feeder', () => world.files.feeder(runId))
const heard = (world: RunWorld, runId: RunId, text: string) =>
  waitFor('the agent to have heard', async () => (await world.events(runId)) === text)
const carrying = async (runId: RunId) => (await processes.carrying([runId])).get(runId) ?? []

/** An agent that repeats what it hears; it was told `one` at its start. */
async function conversation(world: RunWorld, argv: readonly string[] = ['cat']) {
  const { runId, pane } = await world.run(argv, { hearing: 'lines', stdin: 'one\n' })
  const agent = await world.started(runId)
  const feeder = await feederOf(world, runId)
  await heard(world, runId, 'one\n')
  return { runId, pane, agent, feeder }
}

describe.each(SHELLS)('the feeder under %s', (shell) => {
  test('says every line once, as it comes, and its end is the end of the conversation', async () => {
    const world = runWorld(shell)
    const { runId, feeder } = await conversation(world)
    const large = `${'long 🦊 '.repeat(30_000)}\n`
    await world.files.writeInput(runId, 4, 'two\\n $(id)\t\u0001\n')
    await heard(world, runId, 'one\ntwo\\n $(id)\t\u0001\n')
    await world.files.writeInput(runId, 18, large)
    await heard(world, runId, `one\ntwo\\n $(id)\t\u0001\n${large}`)
    expect(await world.files.exit(runId)).toBeUndefined()
    process.kill(feeder.pid, 'SIGTERM')
    expect(await world.exited(runId)).toMatchObject({ code: 0, signal: null })
    expect(await world.files.stderrTail(runId, 1000)).toBe('')
  })

  test('an agent that ends takes it along, and its own status is recorded', async () => {
    const world = runWorld(shell)
    for (const code of [0, 3, 7]) {
      const { runId } = await world.run(['sh', '-c', `exit ${code}`], { hearing: 'lines', stdin: 'x\n' })
      expect(await world.exited(runId)).toMatchObject({ code, signal: null })
      await gone((await feederOf(world, runId)).pid)
      expect(await carrying(runId)).toEqual([])
    }
  })

  test('an agent that is killed takes it along, and the signal is recorded', async () => {
    const world = runWorld(shell)
    const { runId, agent, feeder } = await conversation(world)
    process.kill(agent.pid, 'SIGKILL')
    expect(await world.exited(runId)).toMatchObject({ code: null, signal: 'KILL' })
    await gone(feeder.pid)
  })

  test('when it is killed, the agent hears the end and is recorded', async () => {
    const world = runWorld(shell)
    const { runId, feeder } = await conversation(world, ['sh', '-c', 'cat; exit 6'])
    process.kill(feeder.pid, 'SIGKILL')
    expect(await world.exited(runId)).toMatchObject({ code: 6 })
  })

  test('when the keeper is killed, the conversation goes on, and both are found by their marker', async () => {
    const world = runWorld(shell)
    const { runId, agent, feeder } = await conversation(world)
    const keeper = await world.stage('keep', runId)
    process.kill(keeper, 'SIGKILL')
    await gone(keeper)
    await world.files.writeInput(runId, 4, 'two\n')
    await heard(world, runId, 'one\ntwo\n')
    const pids = (await carrying(runId)).map(({ pid }) => pid)
    expect(new Set(pids)).toEqual(new Set([agent.pid, feeder.pid]))
    expect(await world.files.exits()).toEqual([])
  })

  test.each(['SIGHUP', 'SIGKILL'] as const)('it goes on after the pane died by %s', async (signal) => {
    const world = runWorld(shell)
    const { runId, pane, feeder } = await conversation(world)
    process.kill(-pane.pid!, signal)
    await waitFor('the pane to end', () => pane.exitCode !== null || pane.signalCode !== null)
    await world.files.writeInput(runId, 4, 'two\n')
    await heard(world, runId, 'one\ntwo\n')
    process.kill(feeder.pid, 'SIGTERM')
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
  })

  test('it has the recorded identity, a session of its own, and nothing but marker and PATH', async () => {
    const world = runWorld(shell)
    const { runId, feeder } = await conversation(world)
    await waitFor('tail', () => readIfThere(`/proc/${feeder.pid}/comm`) === 'tail\n')
    expect(processes.isAlive(feeder)).toBe(true)
    expect(feeder.bootId).toBe(processes.bootId)
    expect(readFileSync(`/proc/${feeder.pid}/status`, 'utf8')).toMatch(`NSsid:\t${feeder.pid}\n`)
    const environ = await environOf(feeder.pid)
    expect(environ).toContain(`HOLDFAST_RUN=${runId}`)
    expect(
      environ
        .map((entry) => entry.split('=')[0]!)
        .filter((name) => !/^(_|PWD|OLDPWD|SHLVL|)$/.test(name))
        .sort(),
    ).toEqual(['HOLDFAST_RUN', 'PATH'])
  })

  test('the agent has its own session, default signals, a pipe to hear and no stray descriptors', async () => {
    const world = runWorld(shell)
    const { agent } = await conversation(world)
    const status = readFileSync(`/proc/${agent.pid}/status`, 'utf8')
    expect(status).toMatch(/SigBlk:\t0+\nSigIgn:\t0+\n/)
    expect(status).toMatch(`NSsid:\t${agent.pid}\n`)
    expect(readdirSync(`/proc/${agent.pid}/fd`)).toEqual(await plainDescriptors())
    expect(readlinkSync(`/proc/${agent.pid}/fd/0`)).toMatch(/^pipe:/)
  })

  test('a run that was voided leaves neither feeder nor exit record', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['touch', 'ran'], { hearing: 'lines' })
    const argv = await world.files.prepare(launch)
    expect(await world.files.voidStart(launch.runId)).toBe(true)
    world.start(argv)
    await gone((await feederOf(world, launch.runId)).pid)
    expect(existsSync(`${world.work}/ran`)).toBe(false)
    expect(await world.files.exits()).toEqual([])
  })

  test('a keeper told to end while the feeder still starts mixes nothing up', async () => {
    const world = runWorld(shell)
    const wait = `until [ -e '${world.root}/go' ]; do sleep 0.02; done`
    const env = `#!/bin/sh\n${wait}\nexec ${programPath('env')} "$@"\n`
    writeFileSync(`${world.root}/bin/env`, env, { mode: 0o755 })
    const { runId } = await world.run(['cat'], { hearing: 'lines', stdin: 'one\n' })
    const keeper = await world.stage('keep', runId)
    await waitFor('it to listen', () => IGNORES_SIGTERM.test(readIfThere(`/proc/${keeper}/status`) ?? ''))
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.kill(keeper, signal)
    writeFileSync(`${world.root}/go`, '')
    await heard(world, runId, 'one\n')
    process.kill((await feederOf(world, runId)).pid, 'SIGTERM')
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
  })
})

test('busybox tail feeds as well, though only once a second', async () => {
  const world = runWorld('busybox')
  symlinkSync(programPath('busybox'), `${world.root}/bin/tail`)
  const { runId, agent, feeder } = await conversation(world)
  await world.files.writeInput(runId, 4, 'two\n')
  await heard(world, runId, 'one\ntwo\n')
  expect(readlinkSync(`/proc/${feeder.pid}/exe`)).toMatch(/busybox$/)
  process.kill(agent.pid, 'SIGKILL')
  expect(await world.exited(runId)).toMatchObject({ signal: 'KILL' })
  await gone(feeder.pid)
})
