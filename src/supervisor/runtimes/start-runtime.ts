// Owns starting a runtime: its row and its task are made together, a stopped one is brought back, and one that is up is left
// as it is. Whoever asked may wait until it is ready.
import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { sendPrompt } from '../../delivery/inputs/send-prompt.ts'
import { HoldfastError, isHoldfastError } from '../../domain/errors.ts'
import { agentIdOf, checkRoleName, placeOf, runtimeIdFrom } from '../../domain/runtime/names.ts'
import { stateAfter } from '../../domain/runtime/next-runtime-state.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { Config } from '../../domain/settings/config.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { KeyedRequest } from '../../ports/store/request-keys.ts'
import { oncePerKey, withKey } from '../kernel/once-per-key.ts'
import { personDecides } from '../orders/person-decides.ts'
import { goOnAfter } from '../recovering/go-on-after.ts'
import { agentEnv } from '../starting/agent-env.ts'
import type { CreateRequest } from '../starting/create-request.ts'
import { createTask } from '../starting/create-task.ts'
import { existingTask } from '../task/existing-task.ts'
import type { RuntimesNeeds } from './needs.ts'

export type StartRequest = Pick<
  CreateRequest,
  'place' | 'agent' | 'model' | 'permission' | 'callerEnv' | 'waitingAgents' | 'by' | 'key'
> & {
  readonly role: string
  /** What it is told first; undefined: nothing. */
  readonly seed: string | undefined
}

/** `how`: what was done. */
export type Started = {
  readonly runtime: Runtime
  readonly how: 'registered' | 'brought_back' | 'already_up'
}

/** Two at once: one starts it, the other finds it up. Asked again with the same key, nothing is done, and it is told what was. */
export async function startRuntime(
  request: StartRequest,
  config: Config,
  core: RuntimesNeeds,
): Promise<Started> {
  checkRoleName(request.role)
  const make = () => startNow(request, config, core)
  const madeBefore = (known: KeyedRequest) => startedBefore(known, request, core)
  return await core.withLock('runtimes', () => oncePerKey(request.key, { make, madeBefore }, core))
}

async function startNow(request: StartRequest, config: Config, core: RuntimesNeeds): Promise<Started> {
  const agentId = agentIdOf(request.role, request.place.workspace.slug)
  const known = await core.store.runtimeNamed(agentId)
  const task = known && (await core.store.task(known.taskId))
  if (known !== undefined && task !== undefined) return await bringUp(known, task, request, config, core)
  // Its task is gone: nothing of it is left to go on with.
  if (known !== undefined) await core.commit({ dropRuntime: { id: known.id, at: core.clock.now() } })
  return await register(agentId, request, config, core)
}

async function startedBefore(
  { taskId, made }: KeyedRequest,
  request: StartRequest,
  core: RuntimesNeeds,
): Promise<Started> {
  const runtime = (await core.store.runtimes()).find((one) => one.taskId === taskId)
  if (runtime === undefined)
    throw new HoldfastError('RUNTIME_NOT_FOUND', 'The runtime was removed meanwhile.')
  const how = made as Started['how']
  // The daemon may have died before it could be said.
  if (how === 'brought_back' && runtime.wanted === 'up') await sendSeed(runtime, request, core)
  return { runtime, how }
}

async function register(
  agentId: string,
  request: StartRequest,
  config: Config,
  core: RuntimesNeeds,
): Promise<Started> {
  const { role, place, seed = '' } = request
  const { session, window } = placeOf(role, place.workspace.slug)
  const id = runtimeIdFrom(core.ids.run())
  await createTask(
    {
      ...request,
      role: await roleFileOf(request, core),
      prompt: seed,
      name: undefined,
      title: `runtime ${agentId}`,
      mode: 'interactive',
      converse: false,
      extraDirs: [],
      priority: 'normal',
      tags: [],
      meta: {},
      setEnv: {},
      verify: null,
      command: 'run',
      noQueue: false,
      parentId: null,
      under: null,
      maxDurationMs: null,
      standing: {
        id,
        agentId,
        workspaceId: place.workspace.id,
        role,
        tmuxSession: session,
        tmuxWindow: window,
      },
    },
    config,
    core,
  )
  return { runtime: await existing(agentId, core), how: 'registered' }
}

/** A role needs no file where the agent is named. */
async function roleFileOf(
  { role, agent, place }: StartRequest,
  { roles }: Pick<RuntimesNeeds, 'roles'>,
): Promise<string | undefined> {
  try {
    return (await roles.load(role, place.project)).role
  } catch (error) {
    if (agent !== undefined && isHoldfastError(error, 'ROLE_NOT_FOUND')) return undefined
    throw error
  }
}

async function bringUp(
  runtime: Runtime,
  task: Task,
  request: StartRequest,
  config: Config,
  core: RuntimesNeeds,
): Promise<Started> {
  const isDown = isEnded(task.status)
  const isGivenUp = task.status === 'waiting_input' && !core.watched.has(task.id)
  const remembered = (made: Started['how']) =>
    withKey(request.key, { taskId: task.id, made, at: core.clock.now() })
  if (!isDown && !isGivenUp) {
    if (request.key !== undefined) await core.commit(remembered('already_up'))
    return { runtime, how: 'already_up' }
  }
  await core.commit({ noteRuntime: { id: runtime.id, set: { wanted: 'up' } } })
  const along = remembered('brought_back')
  const env = () => agentEnv({ ...request, setEnv: {} }, driverOf(task, core), config)
  if (isDown) await reopen(task, { env: env(), by: request.by, along }, core)
  else await personDecides(task.id, { choice: 'resume', by: request.by, along }, core)
  if (stateAfter(runtime.state, 'recover') !== undefined)
    await tryCommit(
      {
        moveRuntime: {
          id: runtime.id,
          from: runtime.state,
          event: 'recover',
          reason: `started by ${request.by}`,
          evidence: [saw('person', request.by)],
          at: core.clock.now(),
        },
      },
      core,
    )
  await sendSeed(runtime, request, core)
  return { runtime: await existing(runtime.agentId, core), how: 'brought_back' }
}

/** With the key of the request, it is said once. */
async function sendSeed(
  { taskId }: Runtime,
  { seed, by, key }: StartRequest,
  core: RuntimesNeeds,
): Promise<void> {
  if (seed === undefined) return
  await sendPrompt(await existingTask(taskId, core), seed, by, core, { framed: false, key: key?.key })
}

/** It goes on where it was stopped: with nothing said to it, when its last turn was over. */
async function reopen(
  task: Task,
  {
    env,
    by,
    along,
  }: {
    readonly env: Readonly<Record<string, string>>
    readonly by: string
    readonly along: Pick<Change, 'requestKey'>
  },
  core: RuntimesNeeds,
): Promise<void> {
  await core.withLock(task.id, async () => {
    const { store, clock } = core
    await core.commit({ tidied: { id: task.id, isTidied: false } })
    await core.handoff.reopen(task, env)
    const [runs, inputs] = [await store.runsOf(task.id), await store.inputs(task.id)]
    const between = { task, runs, inputs, driver: driverOf(task, core), sessionIsLost: false }
    const none = { endedAt: null, exitCode: null, exitSignal: null, stop: null, restart: null, runId: null }
    const at = clock.now()
    await core.commit({
      task: moveTask({
        event: 'reopened',
        goOn: runs.length === 0 ? null : goOnAfter(between),
        id: task.id,
        from: task.status,
        reason: `started by ${by}`,
        evidence: [saw('person', by)],
        at,
        set: { ...none, retries: 0 },
      }),
      audit: { at, kind: 'runtime_started', taskId: task.id, actor: by, detail: task.runtime ?? '' },
      ...along,
    })
  })
  await core.whenScheduled()
}

async function existing(agentId: string, { store }: Pick<RuntimesNeeds, 'store'>): Promise<Runtime> {
  const runtime = await store.runtimeNamed(agentId)
  if (runtime === undefined) throw new Error(`the runtime ${agentId} was just registered, and is not there`)
  return runtime
}
