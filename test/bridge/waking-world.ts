// The bridge on a core in memory, with all that wakes agents; and agents of each kind to be woken.
import { appendFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { parentsSubscription } from '../../src/bridge/parents/subscription.ts'
import { ParentWaker } from '../../src/bridge/parents/waker.ts'
import { unreadSubscription } from '../../src/bridge/unread/subscription.ts'
import type { TaskId } from '../../src/domain/names/ids.ts'
import type { Config } from '../../src/domain/settings/config.ts'
import type { Caller } from '../../src/domain/task/caller.ts'
import type { Trigger } from '../../src/domain/task/input.ts'
import { DurableSubscriber } from '../../src/supervisor/listening/durable-subscriber.ts'
import { startRuntime } from '../../src/supervisor/runtimes/start-runtime.ts'
import type { CreateRequest } from '../../src/supervisor/starting/create-request.ts'
import { MemoryAgent } from '../helpers/memory-agent.ts'
import { settled } from '../helpers/settled.ts'
import { ada, startBridge } from './bridge-world.ts'

export async function startWaking(settings: Partial<Config> = {}) {
  const world = await startBridge(settings)
  const { core, clock, desk, supervisor, task, home } = world
  let alive: { stop(): unknown }[] = []
  const listening: { hear: DurableSubscriber['hear'] }[] = []
  supervisor.listen({
    name: 'all that wakes',
    hear: (committed) => {
      for (const one of listening) one.hear(committed)
    },
  })
  /** As a daemon does at its start, after the last one died. */
  const wakersStart = async () => {
    for (const one of alive) await one.stop()
    const subscribers = [parentsSubscription(desk), unreadSubscription(desk)].map(
      (one) => new DurableSubscriber(one, core),
    )
    const waker = new ParentWaker({ desk, clock, log: core.log })
    alive = [...subscribers, waker]
    listening.splice(0, listening.length, ...subscribers, waker)
    for (const one of subscribers) await one.start()
    await waker.start()
    await settled()
  }
  /** Nothing hears what happens from now on. */
  const wakersDie = async () => {
    listening.splice(0)
    for (const one of alive.splice(0)) await one.stop()
  }
  await wakersStart()
  onTestFinished(wakersDie)

  const callerOf = async (id: TaskId): Promise<Caller> => {
    const { runId } = await task(id)
    if (runId === null) throw new Error(`${id} has no run.`)
    return { kind: 'run', run: runId, name: `run ${runId}` }
  }
  const inTerminal = async (id: TaskId) => {
    const agent = new MemoryAgent(world, id)
    await world.agentStarts(id)
    return agent
  }
  return {
    ...world,
    wakersStart,
    wakersDie,
    callerOf,
    /** An agent in its terminal, idle after its first turn. */
    async atRest(name: string, over: Partial<CreateRequest> = {}) {
      const id = await world.creates('first', { name, mode: 'interactive', ...over })
      const agent = await inTerminal(id)
      await clock.passUntil('its first prompt', () => agent.heard.length === 1)
      agent.says('done')
      await clock.passUntil('it to be idle', async () => (await task(id)).phase === 'idle')
      return { id, agent, caller: await callerOf(id) }
    },
    /** The runtime `<role>@project`, ready. */
    async runtimeUp(role: string) {
      const { runtime } = await startRuntime(
        {
          role,
          seed: undefined,
          place: world.request('').place,
          agent: 'scripted',
          model: undefined,
          permission: undefined,
          callerEnv: {},
          by: 'ada',
        },
        world.config,
        core,
      )
      const agent = await inTerminal(runtime.taskId)
      await clock.passUntil(
        'it to be ready',
        async () => (await core.store.runtimeNamed(`${role}@project`))?.state === 'ready',
      )
      return { id: runtime.taskId, name: `${role}@project`, agent, caller: await callerOf(runtime.taskId) }
    },
    /** A headless one ends its turn and says that it is done. */
    async finishes(id: TaskId, text = 'done') {
      const { runId } = await task(id)
      appendFileSync(
        `${home.run(runId!)}/events.jsonl`,
        `${JSON.stringify({ type: 'result', ok: true, text })}\n`,
      )
      await world.agentExits(id, { code: 0 })
      await clock.passUntil(
        'its end to be seen',
        async () => (await core.store.run(runId!))?.state === 'exited',
      )
    },
    async threadOf(...members: string[]) {
      const ask = { title: 'the login page', workspace: undefined, members, key: null }
      return (await world.bridge.createThread(ada, ask)).thread.id
    },
    triggers: (id: TaskId): Promise<Trigger[]> => core.store.triggers({ taskId: id, limit: 99 }),
  }
}
