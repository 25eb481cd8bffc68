// Owns what one who waits for tasks is told of them.
import { unanswered } from '../domain/final-state.ts'
import { iso } from '../domain/session-record.ts'
import type { Phase, TaskStatus } from '../domain/task-machine.ts'
import type { StoredEvent } from '../ports/store.ts'
import type { MonitorEventJson, MonitoredJson } from '../protocol/monitor-json.ts'
import type { Core } from '../supervisor/core.ts'
import type { Standing } from './standing.ts'
import { questionJson } from './task-views.ts'

const EVENTS_PER_READ = 200
const MOST_WORDS = 200

export async function monitoredJson({ id, task, open, final }: Standing, core: Core): Promise<MonitoredJson> {
  const [question] = unanswered(open)
  const run = task?.runId ? await core.store.run(task.runId) : undefined
  return {
    final_state: final?.state ?? null,
    output_file: task === undefined ? null : core.handoff.paths(task).outputLog,
    exit_reason: final?.reason ?? null,
    session_id: id,
    task_status: task?.status ?? null,
    phase: task?.phase ?? null,
    phase_until: task?.phaseUntil ? iso(task.phaseUntil) : null,
    reason: task?.reason ?? null,
    question: question === undefined ? null : questionJson(question),
    last_words: run?.lastWords?.slice(0, MOST_WORDS) ?? null,
    dir: task?.dir ?? null,
  }
}

/** What happened to these tasks since the cursor, oldest first, and where the cursor stands when all of it is known. */
export async function unacknowledged(
  name: string,
  standings: readonly Standing[],
  core: Core,
): Promise<{ cursor: number; events: MonitorEventJson[] }> {
  const after = (await core.store.cursor(name)) ?? 0
  // Before the events are read: one that is stored meanwhile comes with the next answer, not with none.
  const cursor = await core.store.lastSeq()
  const ids = [...new Set(standings.flatMap(({ task }) => task?.id ?? []))]
  const all = await Promise.all(ids.map((id) => eventsOf(id, after, core)))
  const events = all.flat().filter(({ kind, seq }) => matters(kind) && seq <= cursor)
  return { cursor, events: events.sort((a, b) => a.seq - b.seq).map(eventJson) }
}

async function eventsOf(id: NonNullable<StoredEvent['taskId']>, after: number, { store }: Core) {
  const all: StoredEvent[] = []
  for (let from = after; ; from = all.at(-1)!.seq) {
    const some = await store.events(from, EVENTS_PER_READ, id)
    all.push(...some)
    if (some.length < EVENTS_PER_READ) return all
  }
}

/** Not what was said to the agent and heard by it, line by line. */
const matters = (kind: string) => kind.startsWith('task_') || /^(question|stop|restart)_/.test(kind)

function eventJson({ seq, at, kind, taskId, data }: StoredEvent): MonitorEventJson {
  const { status, phase, reason, by } = data
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
