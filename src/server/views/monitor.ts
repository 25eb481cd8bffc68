// Owns what one who waits for tasks is told of them.

import type { JournalEvent } from '../../domain/journal/events.ts'
import { unanswered } from '../../domain/task/final-state.ts'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import { iso, isoOrNull } from '../../domain/task/session-record.ts'
import { untilOf } from '../../domain/task/state.ts'
import type { MonitorEventJson, MonitoredJson } from '../../protocol/monitor-json.ts'
import type { NextJson } from '../../protocol/task-json.ts'
import type { Core } from '../../supervisor/task/core.ts'
import { inTurns } from '../streams/in-turns.ts'
import { unsaidOf } from './kept.ts'
import { nextJson, nextOf } from './next.ts'
import type { Standing } from './standing.ts'
import { questionJson, queuePosition } from './task.ts'

/** In one answer. */
const MOST_EVENTS = 500
const MOST_WORDS = 200

export async function monitoredJson(standing: Standing, core: Core): Promise<MonitoredJson> {
  const { id, task, open, final } = standing
  const [question] = unanswered(open)
  const run = task?.runId ? await core.store.run(task.runId) : undefined
  return {
    final_state: final?.state ?? null,
    output_file: task === undefined ? null : core.handoff.paths(task).outputLog,
    exit_reason: final?.reason ?? null,
    session_id: id,
    task_status: task?.status ?? null,
    phase: task?.phase ?? null,
    phase_until: task === undefined ? null : isoOrNull(untilOf(task)),
    reason: task?.reason ?? null,
    next: await nextFor(standing, core),
    question: question === undefined || task === undefined ? null : await questionJson(question, task, core),
    last_words: run?.lastWords?.slice(0, MOST_WORDS) ?? null,
    dir: task?.dir ?? null,
  }
}

async function nextFor({ task, open, isChecked }: Standing, core: Core): Promise<NextJson | null> {
  if (task === undefined) return null
  if (isChecked) return BEING_VERIFIED
  const unsaid = unsaidOf(task, await core.store.inputs(task.id), core)
  return nextJson(await nextOf(task, { open, queuePosition: await queuePosition(task, core), unsaid }, core))
}

const BEING_VERIFIED: NextJson = {
  kind: 'verifying',
  what: 'its turn is over, and its work is being verified',
  at: null,
  question: null,
}

/**
 * What happened to these tasks since the cursor, oldest first, and where the cursor stands when all of it is known.
 * Very much of it comes in several answers: the cursor says how far this one goes.
 */
export async function unacknowledged(
  name: string,
  standings: readonly Standing[],
  core: Core,
): Promise<{ cursor: number; events: MonitorEventJson[] }> {
  const after = (await core.store.cursor(name)) ?? 0
  // Before the events are read: one that is stored meanwhile comes with the next answer, not with none.
  const last = await core.store.lastSeq()
  const ids = [...new Set(standings.flatMap(({ task }) => task?.id ?? []))]
  const read = await inTurns(ids, (id) => core.store.events(after, MOST_EVENTS, id))
  // Of a task with more than were read, nothing is known after the last of them.
  const known = Math.min(last, ...read.flatMap((some) => (some.length < MOST_EVENTS ? [] : some.at(-1)!.seq)))
  const events = read.flat().filter(({ kind, seq }) => matters(kind) && seq <= known)
  const told = events.sort((a, b) => a.seq - b.seq).slice(0, MOST_EVENTS)
  const cursor = told.length < events.length ? told.at(-1)!.seq : known
  return { cursor, events: told.map(eventJson) }
}

/** Not what was said to the agent and heard by it, line by line. */
const matters = (kind: string) => kind.startsWith('task_') || /^(question|stop|restart)_/.test(kind)

function eventJson({ seq, at, kind, taskId, data }: JournalEvent): MonitorEventJson {
  const { status, phase, reason, by } = data as Readonly<Record<string, unknown>>
  return {
    seq,
    at: iso(at),
    session_id: taskId!,
    event: kind,
    task_status: (status ?? null) as TaskStatus | null,
    phase: (phase ?? null) as Phase | null,
    reason: typeof reason === 'string' ? reason : typeof by === 'string' ? `by ${by}` : null,
  }
}
