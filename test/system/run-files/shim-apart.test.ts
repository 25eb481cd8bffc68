// The shim as the daemon starts it while there is no tmux: at most once, on its own, and recorded as ever.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LinuxProcesses } from '../../../src/system/processes/processes.ts'
import { startApart } from '../../../src/system/processes/start-apart.ts'
import { apartContract } from '../../contract/apart-contract.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { type RunWorld, runWorld, SHELLS } from '../run-world.ts'

const processes = new LinuxProcesses()

async function apart(world: RunWorld, argv: readonly string[], more: Parameters<RunWorld['launch']>[1] = {}) {
  const launch = world.launch(argv, more)
  await world.files.prepare(launch)
  const start = () => startApart(world.path).start(world.files.apartArgv(launch.runId, argv), world.work)
  await start()
  return { runId: launch.runId, start }
}

describe.each(SHELLS)('the shim apart from tmux under %s', (shell) => {
  test('runs the agent in a session of its own and records its exit', async () => {
    const world = runWorld(shell)
    const script = 'until [ -e go ]; do sleep 0.02; done; echo done; exit 5'
    const { runId } = await apart(world, ['sh', '-c', script])
    const agent = await world.started(runId)
    expect((await processes.carrying([runId])).get(runId)?.map(({ pid }) => pid)).toContain(agent.pid)
    writeFileSync(`${world.work}/go`, '')
    expect(await world.exited(runId)).toMatchObject({ code: 5, hangup: null })
    expect(await world.events(runId)).toBe('done\n')
  })

  test('started a second time, it does nothing', async () => {
    const world = runWorld(shell)
    const { runId, start } = await apart(world, ['sh', '-c', 'echo once'])
    await start()
    await world.exited(runId)
    expect(await world.events(runId)).toBe('once\n')
    expect(await world.files.claim(runId)).toBe(false)
  })

  test('one whose run was called off does not start', async () => {
    const world = runWorld(shell)
    const launch = world.launch(['sh', '-c', 'echo never'])
    await world.files.prepare(launch)
    expect(await world.files.claim(launch.runId)).toBe(true)
    const child = world.start(world.files.apartArgv(launch.runId, launch.argv))
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
    expect(await world.files.started(launch.runId)).toBeUndefined()
  })

  test('hears its lines, and ends when its feeder does', async () => {
    const world = runWorld(shell)
    const { runId } = await apart(world, ['cat'], { hearing: 'lines', stdin: 'one\n' })
    await world.started(runId)
    await world.files.writeInput(runId, 4, 'two\n')
    await waitFor('both lines', async () => (await world.events(runId)) === 'one\ntwo\n')
    processes.signal((await world.files.feeder(runId))!, 'SIGTERM')
    expect(await world.exited(runId)).toMatchObject({ code: 0 })
  })
})

apartContract('started', () => ({
  apart: startApart(process.env.PATH ?? ''),
  ranIn: (file) =>
    waitFor(`${file} to be written`, () => existsSync(file) && readFileSync(file, 'utf8').trimEnd()),
}))
