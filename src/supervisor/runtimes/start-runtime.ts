// Owns starting a runtime: its row and its task are made together, a stopped one is brought back, and one that is up is left
// as it is. Whoever asked may wait until it is ready.
import { moveTask } from '../../changes/move-task.ts'
import { tryCommit } from '../../changes/try-commit.ts'
import { sendPrompt } from '../../delivery/inputs/send-prompt.ts'
import { isHoldfastError } from '../../domain/errors.ts'
import { agentIdOf, checkRoleName, placeOf, runtimeIdFrom } from '../../domain/runtime/names.ts'
import { stateAfter } from '../../domain/runtime/next-runtime-state.ts'
import type { Runtime } from '../../domain/runtime/runtime.ts'
import type { Config } from '../../domain/settings/config.ts'
import { saw } from '../../domain/task/evidence.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { Task } from '../../domain/task/task.ts'
import { driverOf } from '../../ports/run/driver-of.ts'
import { personDecides } from '../orders/person-decides.ts'
import { goOnAfter } from '../recovering/go-on-after.ts'
import { agentEnv } from '../starting/agent-env.ts'
import type { CreateRequest } from '../starting/create-request.ts'
import { createTask } from '../starting/create-task.ts'
import { existingTask } from '../task/existing-task.ts'
import type { RuntimesNeeds } from './needs.ts'

export type StartRequest = Pick<
  CreateRequest,
  'place' | 'agent' | 'model' | 'permission' | 'callerEnv' | 'waitingAgents' | 'by'
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

/** Two at once: one starts it, the other finds it up. */
export async function startRuntime(
  request: StartRequest,
  config: Config,
  core: RuntimesNeeds,
): Promise<Started> {
  checkRoleName(request.role)
  return await core.withLock('runtimes', async () => {
    const agentId = agentIdOf(request.role, request.place.workspace.slug)
    const known = await core.store.runtimeNamed(agentId)
    const task = known && (await core.store.task(known.taskId))
    if (known !== undefined && task !== undefined) return await bringUp(known, task, request, config, core)
    // Its task is gone: nothing of it is left to go on with.
    if (known !== undefined) await core.commit({ dropRuntime: { id: known.id, at: core.clock.now() } })
    return await register(agentId, request, config, core)
  })
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
  if (!isDown && !isGivenUp) return { runtime, how: 'already_up' }
  await core.commit({ noteRuntime: { id: runtime.id, set: { wanted: 'up' } } })
  if (isDown)
    await reopen(task, agentEnv({ ...request, setEnv: {} }, driverOf(task, core), config), request.by, core)
  else await personDecides(task.id, { choice: 'resume', by: request.by }, core)
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
  if (request.seed !== undefined)
    await sendPrompt(await existingTask(task.id, core), request.seed, request.by, core, { framed: false })
  return { runtime: await existing(runtime.agentId, core), how: 'brought_back' }
}

/** It goes on where it was stopped: with nothing said to it, when its last turn was over. */
async function reopen(
  task: Task,
  env: Readonly<Record<string, string>>,
  by: string,
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
    })
  })
  await core.whenScheduled()
}

async function existing(agentId: string, { store }: Pick<RuntimesNeeds, 'store'>): Promise<Runtime> {
  const runtime = await store.runtimeNamed(agentId)
  if (runtime === undefined) throw new Error(`the runtime ${agentId} was just registered, and is not there`)
  return runtime
}
