// Owns what each kind of event tells, in words. The table in docs/events.md is made from this file.

import type { EventKind } from './events.ts'

const MOVED = {
  status: 'the task’s status after the move',
  phase: 'its phase after the move',
  reason: 'why',
  run_id: 'its run at that time',
}
const ORDERED = { kind: 'what is ordered', by: 'who ordered it', reason: 'why' }
const SESSION = { session_id: 'the id that the agent told', run_id: 'the run that told it' }
const DISK = { bytes: 'disk space in use', warn_at: 'the limit of the warning' }
const RUNTIME = { runtime_id: 'the runtime', agent_id: '`<role>@<workspace slug>`' }
const INPUT = {
  number: 'the input’s number, from 1 per task',
  kind: 'prompt, continuation, answer, end or finish',
}

const TRIGGER = {
  trigger_id: 'the trigger',
  thread: 'its thread, where it has one',
  agent_id: 'the runtime it is for, where it is for one',
  from: 'its state before, null for a new one',
  state: 'its state after the step',
  code: 'why it waits, fell back or failed',
}

type About = {
  readonly [Kind in EventKind]: { readonly tells: string; readonly data: Readonly<Record<string, string>> }
}

export const journalEvents: About = {
  task_created: { tells: 'A task was created and is queued.', data: MOVED },
  task_launched: { tells: 'A run was started for it.', data: MOVED },
  task_agent_started: { tells: 'Its agent’s process runs.', data: MOVED },
  task_question_asked: { tells: 'It asks a person something.', data: MOVED },
  task_question_settled: { tells: 'Its question is over, and it works again.', data: MOVED },
  task_turn_finished: { tells: 'Its turn is over: it waits for the next prompt.', data: MOVED },
  task_turn_began: { tells: 'It began a new turn.', data: MOVED },
  task_prompt_waits: { tells: 'It is at rest, and a prompt waits to be said to it.', data: MOVED },
  task_requeued: { tells: 'Its run is over, and it waits for its next one.', data: MOVED },
  task_backed_off: { tells: 'Its run failed; it goes on after a pause.', data: MOVED },
  task_parked: { tells: 'It waits for the end of a limit or of an outage.', data: MOVED },
  task_waiting_began: {
    tells:
      'It waits for the tasks that it started, for another task, for tmux, for an approval or for a node.',
    data: MOVED,
  },
  task_person_stopped: { tells: 'A person stopped its agent.', data: MOVED },
  task_stuck_seen: { tells: 'Its agent shows no life.', data: MOVED },
  task_escalated: { tells: 'It cannot go on without a person.', data: MOVED },
  task_verifying: { tells: 'Its work is being verified.', data: MOVED },
  task_reopened: { tells: 'A person brought the ended task back.', data: MOVED },
  task_completed: { tells: 'It ended well.', data: MOVED },
  task_failed: { tells: 'It failed.', data: MOVED },
  task_cancelled: { tells: 'It was ended by a person or a limit.', data: MOVED },
  task_archived: { tells: 'The ended task was put into the archive.', data: { status: MOVED.status } },
  task_removed: { tells: 'The ended task was deleted.', data: { status: 'its last status' } },
  stop_ordered: { tells: 'Its end was ordered.', data: ORDERED },
  restart_ordered: { tells: 'A new run in place of the present one was ordered.', data: ORDERED },
  order_given: {
    tells: 'An order for the task was stored, to kill or to resume it for example.',
    data: {
      id: 'the order',
      kind: 'kill, finish, resume, retry, takeover, handback, unpark or archive',
      by: 'who',
    },
  },
  order_settled: {
    tells: 'An order for the task was carried out, was refused, or came too late.',
    data: { id: 'the order', kind: 'what was wanted', state: 'done, refused or too_late' },
  },
  input_queued: {
    tells: 'A prompt, an answer or another input waits to be given to the agent.',
    data: { ...INPUT, by: 'who says it' },
  },
  input_said: {
    tells: 'An input was given to the agent.',
    data: { ...INPUT, run_id: 'the run it was given to' },
  },
  input_heard: {
    tells: 'The agent has taken an input that it was given.',
    data: { number: INPUT.number, run_id: 'the run that has it' },
  },
  trigger_queued: { tells: 'A prompt was sent, or waits again to be typed.', data: TRIGGER },
  trigger_deferred: {
    tells: 'A prompt waits: somebody uses its terminal, or its thread wakes agents too often.',
    data: TRIGGER,
  },
  trigger_forced: {
    tells: 'Somebody wants a prompt typed although somebody typed there a moment ago.',
    data: { trigger_id: 'the trigger', by: 'who', reason: 'why' },
  },
  trigger_typed: { tells: 'A prompt was given to its agent.', data: TRIGGER },
  trigger_submitted: { tells: 'The agent has the prompt.', data: TRIGGER },
  trigger_ack_late: { tells: 'The agent has not acknowledged it in time; it is awaited on.', data: TRIGGER },
  trigger_acknowledged: { tells: 'The agent acknowledged it.', data: TRIGGER },
  trigger_done: { tells: 'The turn that it began is over.', data: TRIGGER },
  trigger_unconfirmed: {
    tells: 'The agent works, or nobody can ask it any more, and it has not acknowledged it.',
    data: TRIGGER,
  },
  trigger_failed: { tells: 'A prompt was given up.', data: TRIGGER },
  trigger_fell_back: { tells: 'A prompt is given to the run that resumes its session.', data: TRIGGER },
  question_added: {
    tells: 'It asks one more thing, while an earlier question of its is still open.',
    data: { run_id: 'the run that asks' },
  },
  questions_closed: {
    tells: 'Some of its questions are closed; at least one is still open.',
    data: { numbers: 'the numbers of the closed ones' },
  },
  question_answered: {
    tells: 'Somebody answered its question.',
    data: {
      number: 'the question’s number',
      option: 'the chosen option, from 0; null for free text',
      by: 'who answered',
    },
  },
  agent_session: { tells: 'The agent told its session id.', data: SESSION },
  session_refused: { tells: 'The agent told a session id that cannot be one.', data: SESSION },
  usage_reported: {
    tells: 'The agent told what it used.',
    data: {
      run_id: 'the run',
      tokens_in: 'tokens read since its last report; negative when it corrects itself',
      tokens_out: 'the same for tokens written',
      cost_usd: 'the same in US dollars',
    },
  },
  hook_violation: {
    tells: 'A hook or rule kept the agent from using tools.',
    data: { run_id: 'the run', what: 'tool and reason of each' },
  },
  result_submitted: {
    tells: 'Its agent handed in a result.',
    data: { run_id: 'the run', bytes: 'how long it is' },
  },
  bridge_up: {
    tells: 'The tools of Holdfast reached its agent.',
    data: { run_id: 'the run' },
  },
  bridge_absent: {
    tells: 'Its agent works without the tools of Holdfast that it was given.',
    data: { run_id: 'the run' },
  },
  result_refused: { tells: 'The agent’s result.json was not taken.', data: { why: 'why' } },
  verified: {
    tells: 'Its work was checked.',
    data: { verified: 'whether all checks passed', checks: 'each check with its outcome' },
  },
  escalation: { tells: 'People should be told of this.', data: { reason: 'why' } },
  quota_warning: { tells: 'The task takes more disk space than it should.', data: DISK },
  quota_warning_total: { tells: 'All tasks together take more disk space than they should.', data: DISK },
  orphan_found: { tells: 'Something was found that belongs to no known run.', data: { what: 'what it is' } },
  orphan_ended: {
    tells: 'Processes that a run left behind were ended.',
    data: { run: 'the run', processes: 'how many' },
  },
  child_news: {
    tells: 'The task is to be told of a task that it started.',
    data: {
      child: 'that task',
      what: 'completed, failed, cancelled, question_asked, escalated or turn_finished',
    },
  },
  delivery_set_aside: {
    tells: 'A channel could not be told something, and it is not tried again.',
    data: { channel: 'the channel', delivery: 'the id of the delivery', why: 'why' },
  },
  event_set_aside: {
    tells: 'A durable reader of the journal failed on an event again and again, and set it aside.',
    data: {
      subscriber: 'the reader',
      event: 'the event: its node, seq, kind and task',
      why: 'the last error',
    },
  },
  subscriber_missed_events: {
    tells:
      'Events were deleted before a durable reader had handled them; it goes on from the oldest that is kept.',
    data: {
      subscriber: 'the reader',
      missed: 'how many; null when its place was one of another journal',
    },
  },
  pruning_held: {
    tells: 'Old events are kept, because durable readers have not handled them yet.',
    data: { subscribers: 'these readers' },
  },
  thread_created: {
    tells: 'A thread was opened.',
    data: { thread: 'the thread', title: 'what it is about', by: 'who opened it' },
  },
  message_posted: {
    tells: 'Somebody posted to a thread.',
    data: {
      thread: 'the thread',
      number: 'the message’s number, from 1 per thread',
      author: 'who posted it',
      kind: 'message, finding, status or result',
    },
  },
  cursor_moved: {
    tells: 'A reader is done with messages of a thread.',
    data: { thread: 'the thread', reader: 'who', number: 'the last message it is done with' },
  },
  thread_blocked: {
    tells: 'Agents may not post to a thread any more: they talked in circles.',
    data: { thread: 'the thread', code: 'THREAD_AUTO_BLOCKED', why: 'why' },
  },
  thread_continued: {
    tells: 'Agents may post to the thread again.',
    data: { thread: 'the thread', by: 'who decided so', why: 'why' },
  },
  gate_closed: {
    tells: 'Tasks now wait behind a gate, or a gate changed.',
    data: {
      key: 'the gate',
      kind: 'limit, environment or breaker',
      reason: 'why',
      until: 'when it is tried again, epoch ms',
      canary: 'the task that tries first',
    },
  },
  gate_opened: { tells: 'The gate is open; those behind it go on.', data: { key: 'the gate' } },
  runtime_registered: {
    tells: 'A role of a workspace has a runtime now.',
    data: { ...RUNTIME, target: 'where it is in tmux' },
  },
  runtime_moved: {
    tells: 'A runtime changed its state.',
    data: {
      ...RUNTIME,
      from: 'its state before',
      to: 'its state now',
      event: 'what moved it',
      reason: 'why',
    },
  },
  runtime_removed: { tells: 'A runtime was removed for ever.', data: RUNTIME },
  operator_left: {
    tells: 'A person typed in the terminal of a runtime, and has left its keys alone for a while.',
    data: RUNTIME,
  },
  registry_drift: {
    tells: 'The registry and tmux did not agree about a runtime; the registry was put right.',
    data: { ...RUNTIME, what: 'what was found' },
  },
  server_died: { tells: 'The tmux server died.', data: { deaths: 'deaths within the window' } },
  server_started: { tells: 'The tmux server was started.', data: {} },
  server_given_up: {
    tells: 'The tmux server died too often and is left down for a while.',
    data: { deaths: 'deaths within the window', retryAt: 'when it is tried again, epoch ms' },
  },
  server_unavailable: { tells: 'tmux cannot be started.', data: { why: 'why' } },
  server_hung: { tells: 'The tmux server does not answer.', data: {} },
  server_answers: { tells: 'The tmux server answers again.', data: {} },
}

export const EVENT_KINDS = Object.keys(journalEvents) as EventKind[]
export const isEventKind = (word: string): word is EventKind => Object.hasOwn(journalEvents, word)
