// Owns the JSON for a client that waits for tasks.
import type { JournalEvent } from '../../domain/journal/events.ts'
import type { Phase, TaskStatus } from '../../domain/task/machine.ts'
import { iso, isoOrNull } from '../../domain/task/session-record.ts'
import { waitsUntil } from '../../domain/task/state.ts'
import type { MonitorEventJson, MonitoredJson } from '../../protocol/json/monitor-json.ts'
import type { NextJson } from '../../protocol/json/task-json.ts'
import type { Awaited } from '../../supervisor/desk.ts'
import { nextJson } from './next.ts'
import { questionJson } from './task.ts'

const MOST_WORDS = 200

export function monitoredJson(seen: Awaited): MonitoredJson {
  const { id, task, final, question } = seen
  return {
    final_state: final?.state ?? null,
    output_file: seen.outputLog,
    exit_reason: final?.reason ?? null,
    session_id: id,
    task_status: task?.status ?? null,
    phase: task?.phase ?? null,
    phase_until: task === undefined ? null : isoOrNull(waitsUntil(task)),
    reason: task?.reason ?? null,
    next: nextFor(seen),
    question: question === null ? null : questionJson(question),
    last_words: seen.lastWords?.slice(0, MOST_WORDS) ?? null,
    dir: task?.dir ?? null,
  }
}

function nextFor({ next, isChecked }: Awaited): NextJson | null {
  if (isChecked) return BEING_VERIFIED
  return next === null ? null : nextJson(next)
}

const BEING_VERIFIED: NextJson = {
  kind: 'verifying',
  what: 'its turn is over, and its work is being verified',
  at: null,
  question: null,
  runtime: null,
}

export function eventJson({ seq, at, kind, taskId, data }: JournalEvent): MonitorEventJson {
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
