// Owns opening, listing and showing threads, and deciding that a blocked one goes on.
import { HoldfastError } from '../domain/errors.ts'
import type { ThreadId, WorkspaceId } from '../domain/names/ids.ts'
import { printable } from '../domain/names/names.ts'
import { readAgentId } from '../domain/runtime/names.ts'
import type { Caller } from '../domain/task/caller.ts'
import type { Task } from '../domain/task/task.ts'
import { checkThreadTitle } from '../domain/thread/check-message.ts'
import { checkParticipant, isPersonName, nameOfTask } from '../domain/thread/participant.ts'
import type { Thread } from '../domain/thread/thread.ts'
import { checkThreadId } from '../domain/thread/thread-id.ts'
import type { Desk } from '../supervisor/desk.ts'
import { type Participant, participantOf, taskOf } from './participant.ts'

export type ThreadAsk = {
  readonly title: string
  /** Its slug, id or path; that of the caller's task when absent. */
  readonly workspace: string | undefined
  readonly members: readonly string[]
  readonly key: string | null
}
export type ListAsk = {
  readonly blocked: boolean | undefined
  /** Only those that the caller is a member of. */
  readonly mine: boolean
  readonly unread: boolean
  readonly after: string | null
  readonly most: number
}
/** `unread`: messages of others that the caller, as a member, is not done with. */
export type SeenThread = { readonly thread: Thread; readonly unread: number }
export type ThreadDetail = SeenThread & {
  readonly members: readonly ThreadMember[]
}
/** `read`: the last message it is done with. `notWoken`: why messages do not wake it; null for people, and where they do. */
export type ThreadMember = {
  readonly name: string
  readonly read: number
  readonly notWoken: string | null
}

export type ThreadsDesk = Pick<Desk, 'threads' | 'tasks' | 'places' | 'runtimes' | 'wakes'>
type Uses = { readonly desk: ThreadsDesk }

export async function createThread(caller: Caller, ask: ThreadAsk, { desk }: Uses): Promise<SeenThread> {
  const by = await participantOf(caller, desk)
  const title = checkThreadTitle(ask.title)
  const members = await Promise.all(ask.members.map((name) => memberNamed(name, desk)))
  const workspaceId = await workspaceOf(ask.workspace, by, desk)
  const draft = { title, workspaceId, createdBy: by.name, key: ask.key, members }
  return { thread: await desk.threads.open(draft, by.actor), unread: 0 }
}

/** A session may be named like everywhere else, behind `task:`. */
async function memberNamed(name: string, { tasks }: Pick<Desk, 'tasks'>): Promise<string> {
  const task = /^task:(.+)$/s.exec(name)?.[1]
  return task === undefined ? checkParticipant(name) : nameOfTask(await tasks.find(task))
}

async function workspaceOf(
  asked: string | undefined,
  { task }: Participant,
  { places }: Pick<Desk, 'places'>,
): Promise<WorkspaceId | null> {
  if (asked === undefined) return task?.workspaceId ?? null
  const all = await places.workspaces()
  const found = all.find(({ id, slug, path }) => asked === slug || asked === id || asked === path)
  if (found === undefined)
    throw new HoldfastError('WORKSPACE_NOT_FOUND', `No workspace '${printable(asked)}'.`)
  return found.id
}

/** Newest first. `next` is to be given as `after`; null at the end. A page may hold fewer than asked for. */
export async function listThreads(
  caller: Caller,
  ask: ListAsk,
  { desk }: Uses,
): Promise<{ readonly threads: readonly SeenThread[]; readonly next: ThreadId | null }> {
  const { name } = await participantOf(caller, desk)
  const unread = await unreadOf(name, desk)
  const filter = {
    ...(ask.blocked === undefined ? {} : { blocked: ask.blocked }),
    ...(ask.mine || ask.unread ? { member: name } : {}),
  }
  const after = ask.after === null ? null : checkThreadId(ask.after)
  const all = await desk.threads.list(filter, { after, most: ask.most })
  const seen = all.map((thread) => ({ thread, unread: unread.get(thread.id) ?? 0 }))
  return {
    threads: ask.unread ? seen.filter((one) => one.unread > 0) : seen,
    next: all.length < ask.most ? null : (all.at(-1)?.id ?? null),
  }
}

export async function showThread(caller: Caller, id: string, { desk }: Uses): Promise<ThreadDetail> {
  const { name } = await participantOf(caller, desk)
  const thread = await desk.threads.get(checkThreadId(id))
  const read = new Map((await desk.threads.cursors(thread.id)).map(({ reader, number }) => [reader, number]))
  const members = await desk.threads.members(thread.id)
  return {
    thread,
    unread: (await unreadOf(name, desk)).get(thread.id) ?? 0,
    members: await Promise.all(
      members.map(async (member) => ({
        name: member,
        read: read.get(member) ?? 0,
        notWoken: await whyNotWoken(member, thread, desk),
      })),
    ),
  }
}

async function whyNotWoken(
  member: string,
  { blocked }: Thread,
  desk: Pick<Desk, 'tasks' | 'runtimes' | 'wakes'>,
): Promise<string | null> {
  if (isPersonName(member)) return null
  if (blocked !== null) return 'the thread is blocked'
  const task = await taskOf(member, desk)
  return task === undefined ? 'nobody has this name' : desk.wakes.whyNot(task)
}

/** `continued` is false when it was not blocked. NOT_ALLOWED_FOR_RUN unless a person or the orchestrator asks. */
export async function continueThread(
  caller: Caller,
  { id, why }: { readonly id: string; readonly why: string | null },
  { desk }: Uses,
): Promise<{ readonly continued: boolean; readonly detail: ThreadDetail }> {
  const by = await participantOf(caller, desk)
  if (by.task !== null && !isOrchestrator(by.task, desk))
    throw new HoldfastError('NOT_ALLOWED_FOR_RUN', 'A run may not continue threads.')
  const thread = await desk.threads.get(checkThreadId(id))
  const continued = await desk.threads.continue(thread.id, by.name, why, by.actor)
  return { continued, detail: await showThread(caller, id, { desk }) }
}

/** A runtime has its role by its name, also where there is no file for that role. */
function isOrchestrator({ role, runtime }: Task, { threads }: Pick<Desk, 'threads'>): boolean {
  const roles = [role, runtime === null ? null : (readAgentId(runtime)?.role ?? null)]
  return threads.orchestratorRole !== null && roles.includes(threads.orchestratorRole)
}

const unreadOf = async (
  name: string,
  { threads }: Pick<Desk, 'threads'>,
): Promise<ReadonlyMap<ThreadId, number>> =>
  new Map((await threads.unread(name)).map(({ id, unread }) => [id, unread]))
