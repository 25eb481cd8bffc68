// Owns creating a task: everything is checked first, then files are drafted, then the task is stored. Nothing half-made
// stays.

import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { HoldfastError, isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { checkName, checkTaskName, taskIdAt } from '../../domain/names/names.ts'
import { checkTitle, titleOf } from '../../domain/names/title.ts'
import { accountOf } from '../../domain/run/account.ts'
import type { Config } from '../../domain/settings/config.ts'
import { type RecoveryTerms, recoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { termsFor } from '../../domain/settings/role-terms.ts'
import { promptTerms } from '../../domain/settings/task-terms.ts'
import type { Task } from '../../domain/task/task.ts'
import { runsCommands, type VerifyContract } from '../../domain/verify/contract.ts'
import type { Role } from '../../ports/files/roles.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskDraft, TaskReads } from '../../ports/store/tasks.ts'
import { oncePerKey, withKey } from '../kernel/once-per-key.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { type AgentEnv, agentEnv } from './agent-env.ts'
import { checkAbilities, checkInstalled, chooseDriver, permissionWithin } from './choose-agent.ts'
import type { CreateRequest } from './create-request.ts'
import { keepTree, treeAtBeginning } from './keep-tree.ts'
import type { StartingNeeds } from './needs.ts'
import { freeSlots } from './schedule.ts'

const MOST_NAMESAKES = 1000
const LONGEST_LAUNCH_MS = 1000

/** With the same key it is the same task. */
export const createTask = (request: CreateRequest, config: Config, core: StartingNeeds): Promise<Task> =>
  oncePerKey(
    request.key,
    {
      make: () => createAnew(request, config, core),
      madeBefore: ({ taskId }) => existingTask(taskId as TaskId, core),
    },
    core,
  )

async function createAnew(request: CreateRequest, config: Config, core: StartingNeeds): Promise<Task> {
  const { standing } = request
  const role =
    request.role === undefined
      ? null
      : await core.roles.load(checkName('Role', request.role), request.place.project)
  const driver = await chooseDriver(request, role, config, core)
  const prompt = promptFor(request, role, driver, config)
  const wanted = termsFor(request, role, {
    permission: 'default',
    maxDurationMs: config[`${request.command}.maxDuration`],
  })
  const terms = { ...wanted, permission: permissionWithin(request, wanted.permission, driver) }
  checkAbilities({ ...request, ...terms }, driver)
  const name = request.name === undefined ? null : checkTaskName(request.name)
  const title = request.title === undefined ? titleOf(prompt) : checkTitle(request.title)
  for (const tag of request.tags) checkName('Tag', tag)
  const env = agentEnv(request, driver, config)
  await checkInstalled(driver, env, core)
  if (request.noQueue) await refuseWhenFull(core)
  const verify = contractFor(request, config, core)
  const draft = (id: TaskId): TaskDraft => ({
    id,
    name,
    title,
    agent: driver.kind,
    role: role?.role ?? null,
    model: request.model ?? role?.model ?? null,
    mode: request.mode,
    workspaceId: request.place.workspace.id,
    project: request.place.project,
    dir: request.place.dir,
    priority: request.priority,
    tags: request.tags,
    meta: request.meta,
    parentId: request.parentId,
    account: accountOf(driver.kind, env, driver.ownEnv),
    createdBy: request.by,
    createdAt: core.clock.now(),
    maxDurationMs: standing === undefined ? terms.maxDurationMs : null,
    runtime: standing?.agentId ?? null,
    snapshot: {
      prompt,
      persona: role?.persona ?? null,
      restrictions: role?.restrictions ?? [],
      permission: terms.permission,
      ...(terms.permission === wanted.permission ? {} : { permissionNarrowedFrom: wanted.permission }),
      extraDirs: request.extraDirs,
      killGraceMs: config['kill.grace'],
      closePane: config['pane.close'],
      envNames: Object.keys(env),
      converse: request.converse,
      recovery: recoveryFor(standing !== undefined, config),
      prompts: promptTerms(config),
      answers: config.answers,
      ...(verify === null || standing !== undefined ? {} : { verify }),
      ...(standing === undefined ? {} : { standing: true }),
      customAgent: Object.hasOwn(config.agents, driver.kind) ? config.agents[driver.kind] : undefined,
    },
  })
  const registered = (id: TaskId): Registered => ({
    ...(standing && {
      registerRuntime: { ...standing, taskId: id, createdAt: core.clock.now(), createdBy: request.by },
    }),
    ...withKey(request.key, {
      taskId: id,
      made: standing === undefined ? '' : 'registered',
      at: core.clock.now(),
    }),
  })
  // Looked at while the task is stored: an agent takes longer to start than git to answer.
  const tree = treeAtBeginning(request.place.dir, core)
  const task = await storeUnderFreeId(
    name ?? role?.role ?? standing?.role ?? driver.kind,
    { draft, registered },
    env,
    core,
  )
  void keepTree(task, tree, core)
  // The first run may start now: it needs nothing of what is still missing in the view.
  const launched = core.whenScheduled()
  await core.store.onDisk()
  await finishFiles(task, core)
  // If a slot is free, the run is launched before we answer, so that the caller can attach at once. The wait is short,
  // because tmux may hang.
  await Promise.race([launched, core.clock.sleep(LONGEST_LAUNCH_MS)])
  return await existingTask(task.id, core)
}

type Registered = Pick<Change, 'registerRuntime' | 'requestKey'>

/** A task, and what is stored together with it. */
type Making = {
  readonly draft: (id: TaskId) => TaskDraft
  readonly registered: (id: TaskId) => Registered
}

/** A runtime needs no prompt; but who it is, and what it must not do, is said in one where its agent has no other way. */
function promptFor(request: CreateRequest, role: Role | null, driver: AgentDriver, config: Config): string {
  const { standing } = request
  if (standing === undefined || request.prompt !== '')
    return checkPrompt(Buffer.from(request.prompt), config['prompt.maxBytes'])
  const isSaid = role !== null && (!driver.can.personaFlag || role.restrictions.length > 0)
  return isSaid ? `You are ${standing.agentId}. Wait for your first message.` : ''
}

/** A runtime has no deadline, and its restarts count otherwise. */
const recoveryFor = (isStanding: boolean, config: Config): RecoveryTerms =>
  isStanding
    ? { ...recoveryTerms(config), retries: config['runtime.maxRestarts'], deadlineMs: null }
    : recoveryTerms(config)

/** The id gets a suffix when it is taken: by another task of the same second, or because the clock was set back. */
async function storeUnderFreeId(
  name: string,
  { draft, registered }: Making,
  env: AgentEnv,
  core: Pick<Core, 'clock' | 'commitSoon' | 'handoff'> & Reads<TaskReads>,
): Promise<Task> {
  const base = taskIdAt(core.clock.now(), name)
  for (let n = 1; n <= MOST_NAMESAKES; n++) {
    const id = (n === 1 ? base : `${base}-${n}`) as TaskId
    if ((await core.store.task(id)) !== undefined) continue
    try {
      return await storeOne(draft(id), registered(id), env, core)
    } catch (error) {
      if (!isHoldfastError(error, 'TASK_EXISTS')) throw error
    }
  }
  throw new HoldfastError('TASK_EXISTS', `There are ${MOST_NAMESAKES} sessions named ${base} already.`)
}

/** A crash leaves a draft, which the next daemon finishes or drops; an error leaves nothing. */
async function storeOne(
  draft: TaskDraft,
  registered: Registered,
  env: AgentEnv,
  core: Pick<Core, 'clock' | 'commitSoon' | 'handoff'> & Reads<TaskReads>,
): Promise<Task> {
  const at = core.clock.now()
  await core.handoff.create(draft, env)
  try {
    const detail = `${draft.role ?? draft.agent} in ${draft.dir}, task file ${core.handoff.paths(draft).promptFile}`
    const audit: AuditEntry = { at, kind: 'task_created', taskId: draft.id, actor: draft.createdBy, detail }
    await core.commitSoon({ create: draft, ...registered, audit })
    return await existingTask(draft.id, core)
  } catch (error) {
    await core.handoff.removeFiles(draft)
    throw error
  }
}

/** The task is stored, so an error here does not undo it: the next start of the daemon adds the missing files. */
async function finishFiles(task: Task, core: Pick<Core, 'handoff' | 'log'>): Promise<void> {
  try {
    await core.handoff.finishDraft(task)
  } catch (error) {
    core.log.error('could not finish the files of a task', { task: task.id, error: messageOf(error) })
  }
}

/** The request's contract goes before the config's. A run may not set a contract with commands. */
function contractFor(
  request: CreateRequest,
  config: Config,
  core: Pick<Core, 'verifier'>,
): VerifyContract | null {
  if (request.verify && request.under !== null && runsCommands(request.verify))
    throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not set commands that verify a task.')
  const contract = request.verify === undefined ? config.verify : request.verify
  if (contract !== null) core.verifier.accept(contract)
  return contract
}

async function refuseWhenFull(core: Pick<Core, 'config' | 'watched'> & Reads<Queue>): Promise<void> {
  const waiting = await core.store.queue(1)
  if (freeSlots(core) > 0 && waiting.length === 0) return
  throw new HoldfastError('QUOTA_EXCEEDED', `Max concurrent sessions (${core.config.maxConcurrent}) reached`)
}
