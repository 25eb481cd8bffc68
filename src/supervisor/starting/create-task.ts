// Owns creating a task: everything is checked first, then files are drafted, then the task is stored. Nothing half-made
// stays.

import { checkPrompt } from '../../domain/conversation/check-prompt.ts'
import { HoldfastError, isHoldfastError, messageOf } from '../../domain/errors.ts'
import type { TaskId } from '../../domain/names/ids.ts'
import { checkName, checkTaskName, taskIdAt } from '../../domain/names/names.ts'
import { checkTitle, titleOf } from '../../domain/names/title.ts'
import { accountOf } from '../../domain/run/account.ts'
import { allowedEnv, isNeverPassedOn } from '../../domain/run/caller-environment.ts'
import { checkEnv } from '../../domain/run/env-entry.ts'
import { nearestNarrower, type Permission } from '../../domain/run/permission.ts'
import { notTrusted } from '../../domain/settings/approval.ts'
import type { Config } from '../../domain/settings/config.ts'
import type { WaitingAgents } from '../../domain/settings/merge-config.ts'
import { type RecoveryTerms, recoveryTerms } from '../../domain/settings/recovery-terms.ts'
import { type Asked, type Terms, termsFor } from '../../domain/settings/role-terms.ts'
import type { Mode, Priority, Task } from '../../domain/task/task.ts'
import { runsCommands, type VerifyContract } from '../../domain/verify/contract.ts'
import type { Role } from '../../ports/files/roles.ts'
import type { AgentDriver } from '../../ports/run/agent-driver.ts'
import type { AuditEntry } from '../../ports/store/audit.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { Queue } from '../../ports/store/queue.ts'
import type { RuntimeDraft } from '../../ports/store/runtimes.ts'
import type { Reads } from '../../ports/store/store.ts'
import type { TaskDraft, TaskKey, TaskReads } from '../../ports/store/tasks.ts'
import type { Core } from '../task/core.ts'
import { existingTask } from '../task/existing-task.ts'
import { keepTree, treeAtBeginning } from './keep-tree.ts'
import type { StartingNeeds } from './needs.ts'
import { freeSlots } from './schedule.ts'
import { whyUnusable } from './why-unusable.ts'
import type { AllowedDir } from './workspaces.ts'

/** The request's permission and working time go before those of the role and the config. */
export type CreateRequest = Asked & {
  readonly prompt: string
  readonly place: AllowedDir
  readonly agent: string | undefined
  readonly role: string | undefined
  readonly model: string | undefined
  readonly name: string | undefined
  /** Used instead of the prompt's first words. */
  readonly title?: string
  readonly mode: Mode
  readonly converse: boolean
  readonly extraDirs: readonly string[]
  readonly priority: Priority
  readonly tags: readonly string[]
  readonly meta: Readonly<Record<string, string>>
  /** The agent gets only what the allow-list, `env.pass` and the agent's own names let through. */
  readonly callerEnv: Readonly<Record<string, string>>
  readonly setEnv: Readonly<Record<string, string>>
  /** Null: no contract. Undefined: the config's contract. */
  readonly verify?: VerifyContract | null
  /** The command whose default working time applies. */
  readonly command: 'create' | 'run'
  /** Agents that wait for a person's approval. Asking for one of them is NOT_TRUSTED. */
  readonly waitingAgents?: WaitingAgents
  readonly noQueue: boolean
  /** It is a runtime, with this row in the registry; it may have no prompt. */
  readonly standing?: Omit<RuntimeDraft, 'taskId' | 'createdAt' | 'createdBy'>
  /** The task whose run asks; null when a person asks. */
  readonly parentId: TaskId | null
  readonly by: string
  /** By which the caller knows this request again; `digest` is of all that it asks for. */
  readonly key?: Pick<TaskKey, 'key' | 'digest'>
}

type Env = Readonly<Record<string, string>>

const MOST_NAMESAKES = 1000
const LONGEST_LAUNCH_MS = 1000

/** With the same key it is the same task; KEY_REUSED when that one was asked for otherwise. */
export async function createTask(request: CreateRequest, config: Config, core: StartingNeeds): Promise<Task> {
  const before = await madeBefore(request, core)
  if (before !== undefined) return before
  try {
    return await createAnew(request, config, core)
  } catch (error) {
    // The same request may have come twice at once.
    const found = isHoldfastError(error, 'TRANSITION_CONFLICT') ? await madeBefore(request, core) : undefined
    if (found === undefined) throw error
    return found
  }
}

async function madeBefore({ by, key }: CreateRequest, core: Reads<TaskReads>): Promise<Task | undefined> {
  const found = key === undefined ? undefined : await core.store.taskWithKey(by, key.key)
  if (found === undefined || found.digest === key?.digest) return found && existingTask(found.taskId, core)
  throw new HoldfastError('KEY_REUSED', `Session ${found.taskId} was made with this key, for something else.`)
}

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
    ...(request.key && { taskKey: { ...request.key, createdBy: request.by, taskId: id } }),
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

type Registered = Pick<Change, 'registerRuntime' | 'taskKey'>

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
  env: Env,
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
  env: Env,
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
    await core.handoff.discard(draft)
    throw error
  }
}

/** The task is stored, so an error here does not undo it: the next start of the daemon adds the missing files. */
async function finishFiles(task: Task, core: Pick<Core, 'handoff' | 'log'>): Promise<void> {
  try {
    await core.handoff.commit(task)
  } catch (error) {
    core.log.error('could not finish the files of a task', { task: task.id, error: messageOf(error) })
  }
}

/** The agent that the request, the role or the config names; otherwise the first one that is installed. */
async function chooseDriver(
  request: CreateRequest,
  role: Role | null,
  config: Config,
  core: Pick<Core, 'agents' | 'driver' | 'places'>,
): Promise<AgentDriver> {
  const kind = request.agent ?? role?.agent ?? config.agent
  const { waitingAgents: waiting } = request
  if (kind !== null && waiting?.kinds.includes(kind) && !Object.hasOwn(config.agents, kind))
    throw notTrusted(waiting.file, `it defines the agent '${kind}'`, waiting.approval)
  if (kind !== null) return core.driver(kind, config.agents)
  for (const driver of core.agents) if (await programOf(driver, request.callerEnv.PATH, core)) return driver
  const known = core.agents.map((driver) => driver.kind).join(', ')
  throw new HoldfastError('AGENT_NOT_CHOSEN', `No agent was named, and none of ${known} is on your PATH.`)
}

const programOf = async ({ program }: AgentDriver, path: string | undefined, core: Pick<Core, 'places'>) =>
  program === null ? undefined : core.places.findProgram(program.name, path ?? '')

async function checkInstalled(driver: AgentDriver, env: Env, core: Pick<Core, 'places'>): Promise<void> {
  if (driver.program === null) return
  const { name, install } = driver.program
  const path = await programOf(driver, env.PATH, core)
  if (path === undefined)
    throw new HoldfastError(
      'AGENT_NOT_INSTALLED',
      `There is no '${name}' on your PATH. Install it: ${install}`,
    )
  const why = await whyUnusable(path, driver.program, env, core.places)
  if (why !== null)
    throw new HoldfastError('AGENT_TOO_OLD', `'${path}' cannot be used: ${why}. Install it: ${install}`)
}

/**
 * A session that a run starts has the permission of that run, unless it asks for another. An agent that does not know this
 * one gets the next that allows less. AGENT_CANNOT when it knows none.
 */
function permissionWithin(
  { permission: asked, under }: CreateRequest,
  wanted: Permission,
  { kind, can: { permissions } }: AgentDriver,
): Permission {
  if (under === null || asked !== undefined || permissions.includes(wanted)) return wanted
  const narrower = nearestNarrower(wanted, permissions)
  if (narrower !== undefined) return narrower
  throw new HoldfastError(
    'AGENT_CANNOT',
    `The agent '${kind}' cannot be started here: the session that asks has the permissions '${wanted}', what it starts may have no more, and '${kind}' knows only ${permissions.join(', ')}. Choose another agent, or let a person start it.`,
  )
}

function checkAbilities(request: CreateRequest & Terms, { kind, can }: AgentDriver): void {
  const cannot = (what: string) => new HoldfastError('AGENT_CANNOT', `The agent '${kind}' ${what}.`)
  if (request.standing !== undefined && can.terminal === null)
    throw cannot('cannot be told anything in its terminal, so it cannot stand by as a runtime')
  if (!can.modes.includes(request.mode)) throw cannot(`does not run in ${request.mode} mode`)
  if (request.converse && !can.converse)
    throw cannot('takes no further prompts without a terminal, so --converse is not possible')
  if (request.model !== undefined && !can.model) throw cannot('does not take a model')
  if (request.extraDirs.length > 0 && !can.extraDirs) throw cannot('does not take extra directories')
  if (!can.permissions.includes(request.permission))
    throw cannot(`does not support permissions '${request.permission}', only ${can.permissions.join(', ')}`)
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

/** The environment of the agent: the allowed part of the caller's, and what was set for the task. */
export function agentEnv(
  { callerEnv, setEnv }: Pick<CreateRequest, 'callerEnv' | 'setEnv'>,
  driver: AgentDriver,
  config: Config,
): Env {
  const ours = Object.keys(setEnv).find(isNeverPassedOn)
  if (ours !== undefined)
    throw new HoldfastError('INVALID_NAME', `${ours} can only be set by Holdfast itself.`)
  const env = { ...allowedEnv(callerEnv, [...config['env.pass'], ...driver.ownEnv]), ...setEnv }
  checkEnv(env)
  return env
}

async function refuseWhenFull(core: Pick<Core, 'config' | 'watched'> & Reads<Queue>): Promise<void> {
  const waiting = await core.store.queue(1)
  if (freeSlots(core) > 0 && waiting.length === 0) return
  throw new HoldfastError('QUOTA_EXCEEDED', `Max concurrent sessions (${core.config.maxConcurrent}) reached`)
}
