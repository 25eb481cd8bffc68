// A runtime of the core in time: its agent is a MemoryAgent, made anew for each run.
import { HoldfastError } from '../../src/domain/errors.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Runtime } from '../../src/domain/runtime/runtime.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import { type StartRequest, startRuntime } from '../../src/supervisor/runtimes/start-runtime.ts'
import { startCoreInTime } from './core-in-time.ts'
import { MemoryAgent } from './memory-agent.ts'

export async function runtimeWorld(settings: Partial<Config> = {}) {
  const world = await startCoreInTime(settings)
  const { core, clock, terminal, task } = world
  const runtime = async (agentId = 'reviewer@project'): Promise<Runtime> => {
    const found = await core.store.runtimeNamed(agentId)
    if (found === undefined) throw new HoldfastError('RUNTIME_NOT_FOUND', agentId)
    return found
  }
  /** `ofProject`: what the project's file sets. */
  const starts = (over: Partial<StartRequest> = {}, ofProject: Partial<Config> = {}) =>
    startRuntime(
      {
        role: 'reviewer',
        seed: undefined,
        place: world.request('').place,
        agent: 'scripted',
        model: undefined,
        permission: undefined,
        callerEnv: {},
        by: 'ada',
        ...over,
      },
      { ...world.config, ...ofProject },
      core,
    )
  const isIn = (state: Runtime['state']) => async () => (await runtime()).state === state
  return {
    ...world,
    runtime,
    starts,
    becomes: (state: Runtime['state'], withinMs?: number) =>
      clock.passUntil(`the runtime to be ${state}`, isIn(state), withinMs),
    /** Its process runs, and its interface is there. */
    async comesUp(id: TaskId): Promise<MemoryAgent> {
      const agent = new MemoryAgent(world, id)
      await world.agentStarts(id)
      await clock.passUntil('it to be ready', isIn('ready'))
      return agent
    },
    /** Its next run is launched. */
    async isLaunchedAgain(id: TaskId, before: string | null, withinMs?: number): Promise<void> {
      await clock.passUntil(
        'the next run',
        async () => {
          const { runId } = await task(id)
          return runId !== null && runId !== before && core.watched.has(id)
        },
        withinMs,
      )
    },
    paneKilled: (id: TaskId) => terminal.killPane(id),
  }
}

const SEED = 'You review.'

/** Ready, and told something before, so that its session can be resumed. */
export async function toldRuntime(settings: Partial<Config> = {}, over: Partial<StartRequest> = {}) {
  const world = await readyRuntime(settings, { seed: SEED, ...over })
  const { id, core, clock, agent, task, isLaunchedAgain } = world
  await clock.passUntil('the seed', () => agent.heard.length === 1)
  agent.says('understood')
  await clock.passUntil('it to be idle', async () => (await task(id)).phase === 'idle')
  const hows = async () => (await core.store.runsOf(id)).map(({ how }) => how)
  return {
    ...world,
    hows,
    /** Its next run is there, with an interface that shows what was said in its session before. */
    async returns(before: string | null, withinMs?: number): Promise<MemoryAgent> {
      await isLaunchedAgain(id, before, withinMs)
      const next = new MemoryAgent(world, id)
      if ((await hows()).at(-1) === 'resume') next.recalls(SEED)
      await world.agentStarts(id)
      return next
    },
  }
}

/** The runtime `reviewer@project`, ready. */
export async function readyRuntime(settings: Partial<Config> = {}, over: Partial<StartRequest> = {}) {
  const world = await runtimeWorld(settings)
  const { runtime } = await world.starts(over)
  const agent = await world.comesUp(runtime.taskId)
  return { ...world, id: runtime.taskId, agent }
}
