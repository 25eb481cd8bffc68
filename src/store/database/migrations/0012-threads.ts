import type { Backend } from '../backends.ts'

/** Threads with their messages and readers, and what parents are still to be told of their children. */
export const threads = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `create table threads (
    id ${text} not null primary key,
    title ${text} not null,
    workspace_id ${text},
    created_by ${text} not null,
    created_at ${int} not null,
    key ${text},
    state ${text} not null,
    blocked_code ${text},
    blocked_why ${text},
    blocked_at ${int},
    last_number ${int} not null,
    last_at ${int},
    turns_without_progress ${int} not null,
    guarded_after ${int} not null
  ) ${tableEnd}`,
  'create unique index threads_by_key on threads (created_by, key) where key is not null',
  'create index threads_by_state on threads (state, id)',

  `create table thread_members (
    thread_id ${text} not null,
    member ${text} not null,
    primary key (thread_id, member)
  ) ${tableEnd}`,
  'create index threads_of_member on thread_members (member, thread_id)',

  `create table messages (
    thread_id ${text} not null,
    number ${int} not null,
    author ${text} not null,
    kind ${text} not null,
    refs ${json} not null,
    text ${text} not null,
    at ${int} not null,
    key ${text},
    fingerprint ${text},
    primary key (thread_id, number)
  ) ${tableEnd}`,
  'create unique index messages_by_key on messages (thread_id, author, key) where key is not null',
  `create index messages_by_fingerprint on messages (thread_id, fingerprint, number)
   where fingerprint is not null`,

  `create table read_cursors (
    thread_id ${text} not null,
    reader ${text} not null,
    number ${int} not null,
    at ${int} not null,
    primary key (thread_id, reader)
  ) ${tableEnd}`,

  `create table outbox (
    subscriber ${text} not null,
    node_id ${text} not null,
    seq ${int} not null,
    parent_id ${text},
    child_id ${text} not null,
    what ${text} not null,
    at ${int} not null,
    bound_trigger ${text},
    primary key (subscriber, node_id, seq)
  ) ${tableEnd}`,
  `create index outbox_unbound on outbox (parent_id, node_id, seq)
   where bound_trigger is null and parent_id is not null`,
]
