// Owns the kinds of audit rows, and what each tells. The table in docs/json-output.md is made from this file.
import { HoldfastError } from '../errors.ts'
import { printable } from './names.ts'
import { nearest } from './nearest.ts'

export const AUDIT_KINDS = {
  task_created: 'It was created: by whom, for which role or agent, where, and its task file.',
  task_started: 'It started for the first time: CREATED → RUNNING.',
  task_completed: 'It ended well.',
  task_failed: 'It failed.',
  task_cancelled: 'It was ended: by a person, a time limit or a quota.',
  task_requeued: 'Its run ended early, and it goes on at once.',
  task_backed_off: 'Its run ended early, and it goes on after a pause.',
  task_parked: 'It waits for the end of a usage limit.',
  task_person_stopped: 'A person stopped its agent.',
  task_escalated: 'It needs a person.',
  task_question_asked: 'It asks a person how to go on.',
  task_verifying: 'Its work is being verified.',
  task_kept_back: 'A prompt could not be typed into its terminal for a while: a person is asked.',
  task_deaf: 'The file that brings prompts to its agent was deleted or damaged: it is resumed.',
  task_stuck: 'Its agent showed no life for too long.',
  task_resume: 'A person let it go on.',
  task_retry: 'A person let it start over.',
  task_close: 'A person closed it.',
  task_takeover: 'A person took it over in its terminal.',
  task_handback: 'A person handed it back.',
  task_archived: 'It was archived.',
  task_removed: 'It was removed for ever.',
  kill_ordered: 'A person ordered to end it.',
  task_waiting_began: 'It waits for the tasks that it started.',
  parent_woken: 'It was told of tasks that it started; one of them had completed.',
  parent_woken_in_vain: 'It was told of tasks that it started; none of them had completed.',
  parent_wakes_blocked:
    'That happened `thread.maxTurns` times in a row: it is told nothing more until a person has spoken to it.',
  finish_ordered: 'A person ordered to complete it when its turn is over.',
  question_answered: 'Somebody answered what it asked.',
  prompt_sent: 'A further prompt was sent to it.',
  trigger_sent:
    'A prompt was given to its agent. As in all rows about triggers, the detail has `trigger_id`, `agent_id` (of a runtime), `thread_id` and `result`.',
  trigger_submitted: 'Its agent has that prompt.',
  trigger_done: 'The turn that the prompt began is over.',
  trigger_forced: 'A person had a prompt typed although somebody had typed there a moment ago.',
  trigger_deferred: 'A prompt waits: somebody uses its terminal, or its thread wakes agents too often.',
  ack_received: 'Its agent acknowledged a prompt.',
  trigger_unconfirmed: 'Its agent works, and has not acknowledged a prompt.',
  trigger_failed: 'A prompt was given up.',
  trigger_fallen_back: 'Its run did not take a prompt, or ended before: the next run is given it.',
  fallback_resume_started: 'Its agent is resumed with a prompt that the last run did not take.',
  fallback_resume_succeeded: 'The resumed agent has that prompt.',
  fallback_spawn_started: 'A new session begins with a prompt that the last run did not take.',
  fallback_spawn_succeeded: 'The agent of the new session has that prompt.',
  ack_refused: 'Somebody tried to acknowledge a prompt that was not theirs.',
  end_sent: 'It was told that no more prompts will come.',
  runtime_started: 'A person started a stopped runtime again.',
  runtime_restart_failed: 'A runtime did not come up.',
  runtime_stopped: 'A person stopped a runtime.',
  runtime_restarted: 'A person had a runtime started anew.',
  operator_came:
    'A person began to type in the terminal of a runtime: their user, terminal, and since when it is attached.',
  keys_pressed: 'A person pressed these keys in its terminal from the page.',
  operator_prompted: 'A person said this to a runtime in its terminal; secrets are removed.',
  operator_left: 'The person has left the keys of a runtime alone for a while.',
  registry_drift: 'The registry and tmux did not agree about a runtime; the registry was put right.',
  hook_violation: 'A hook or rule kept its agent from using a tool.',
  run_quarantined: 'The daemon died three times while it handled one of its runs: that run is left alone.',
  gate_passed: 'A person let it try before its gate opened.',
  gate_opened: 'A person opened a gate.',
  quota_exceeded: 'A limit was reached: sessions at once, working time, cost, tokens or disk.',
  quota_warning: 'It uses more disk space than `disk.warn`.',
  quota_warning_total: 'All sessions together use more disk space than `disk.totalWarn`.',
  recursion_refused: 'A run tried to start a task, deeper than `recursion.depth` allows.',
  order_refused: 'A run tried to do what only a person may do or allow.',
  token_refused: 'Somebody asked with a token that is forged, expired, or of a run that is over.',
  inbound_refused: 'A request to a channel’s route was not signed as it should be.',
  web_opened: 'The daemon began to listen on a TCP port, for the page and for programs with a token.',
  web_closed: 'It stopped doing so.',
  web_login: 'Somebody opened the page with a one-time link.',
  web_token_made: 'A token for programs was made.',
  web_token_revoked: 'A token for programs was revoked.',
  login_refused: 'Somebody asked over TCP without a valid cookie or token, or with a link that is void.',
  terminal_typing_on: 'Somebody switched on typing in a live terminal of the page.',
  terminal_typing_off: 'It was switched off, or the terminal closed: how many bytes were typed.',
  thread_created: 'A thread was opened.',
  thread_blocked: 'Agents talked in circles in a thread: they may not post to it any more.',
  thread_continued: 'A person or the orchestrator let a blocked thread go on.',
  event_set_aside: 'A part of Holdfast failed again and again on an event of the journal, and set it aside.',
  event_retried: 'A person had events that were set aside tried again.',
  event_dropped: 'A person dropped an event that was set aside.',
  reader_dropped: 'A person dropped a reader of the journal, of a daemon that is not heard of any more.',
  subscriber_missed_events:
    'Events were deleted before a part of Holdfast had handled them; it goes on from the oldest that is kept.',
  pruning_held: 'Old events are kept, because a part of Holdfast has not handled them yet.',
  workspace_added: 'A directory was allowed.',
  workspace_removed: 'A directory is no longer allowed.',
  trust_approved: "A project's file was approved.",
  trust_revoked: 'An approval was taken back.',
  orphan_found: 'Processes, a pane or files were found of a run or task that is not in the store.',
  orphan_ended: 'Processes that a run had left behind were ended.',
  orphan_removed: 'Files that belong to nothing were removed.',
} as const satisfies Readonly<Record<string, string>>

export type AuditKind = keyof typeof AUDIT_KINDS
const auditKinds = Object.keys(AUDIT_KINDS) as AuditKind[]

export function auditKind(word: string): AuditKind {
  const kind = auditKinds.find((known) => known === word)
  if (kind !== undefined) return kind
  const guess = nearest(word.slice(0, 80), auditKinds)
  const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`
  throw new HoldfastError(
    'USAGE',
    `'${printable(word)}' is not a kind of audit row.${hint} The kinds: ${auditKinds.join(', ')}.`,
  )
}
