import { TASK_STATUSES } from '../../../domain/task/machine.ts'
import type { Backend } from '../backends.ts'

/** Large columns come last: the columns before them can be read without them. */
export const tasks = ({ int, real, text, json, countingKey, tableEnd }: Backend): readonly string[] => [
  `create table tasks (
    id ${text} not null primary key,
    node_id ${text} not null,
    status ${text} not null,
    phase ${text},
    phase_until ${int},
    priority ${int} not null,
    created_at ${int} not null,
    started_at ${int},
    ended_at ${int},
    moves ${int} not null,
    tidied ${int} not null,
    agent ${text} not null,
    role ${text},
    model ${text},
    mode ${text} not null,
    workspace_id ${text} not null,
    project ${text} not null,
    dir ${text} not null,
    parent_id ${text},
    created_by ${text} not null,
    max_duration_ms ${int},
    worked_ms ${real} not null,
    exit_code ${int},
    exit_signal ${text},
    run_id ${text},
    session_id ${text},
    tokens_in ${int} not null,
    tokens_out ${int} not null,
    cost_usd ${real} not null,
    reason ${text},
    stop ${json},
    tags ${json} not null,
    meta ${json} not null,
    snapshot ${json} not null
  ) ${tableEnd}`,
  'create index tasks_by_age on tasks (created_at, id)',
  'create index tasks_by_status on tasks (status, created_at, id)',
  'create index tasks_by_project on tasks (project, created_at, id)',
  'create index tasks_in_queue on tasks (node_id, status, priority desc, created_at, id)',
  'create index tasks_to_tidy on tasks (node_id, tidied, status)',

  `create table task_tags (
    tag ${text} not null,
    task_id ${text} not null references tasks (id),
    primary key (tag, task_id)
  ) ${tableEnd}`,

  `create table task_transitions (
    task_id ${text} not null references tasks (id),
    number ${int} not null,
    event ${text} not null,
    from_status ${text} not null,
    to_status ${text} not null,
    phase ${text},
    run_id ${text},
    at ${int} not null,
    reason ${text} not null,
    evidence ${json} not null,
    primary key (task_id, number)
  ) ${tableEnd}`,

  `create table runs (
    id ${text} not null primary key,
    task_id ${text} not null references tasks (id),
    number ${int} not null,
    node_id ${text} not null,
    state ${text} not null,
    created_at ${int} not null,
    started_at ${int},
    live_since_mono ${real},
    ended_at ${int},
    pid ${int},
    start_ticks ${int},
    boot_id ${text},
    exit_code ${int},
    exit_signal ${text},
    events_offset ${int} not null,
    output_length ${int} not null,
    unknown_lines ${int} not null,
    last_words ${text},
    result ${json},
    unique (task_id, number)
  ) ${tableEnd}`,
  'create index runs_open on runs (node_id, state)',

  `create table events (
    seq ${int} not null primary key,
    node_id ${text} not null,
    at ${int} not null,
    kind ${text} not null,
    task_id ${text},
    data ${json} not null
  ) ${tableEnd}`,
  'create index events_by_task on events (task_id, seq)',

  `create table counters (name ${text} not null primary key, value ${int} not null) ${tableEnd}`,
  `insert into counters (name, value) values ('event_seq', 0)`,
  ...TASK_STATUSES.map((status) => `insert into counters (name, value) values ('tasks_${status}', 0)`),

  `create table audit (
    id ${countingKey},
    at ${int} not null,
    kind ${text} not null,
    task_id ${text},
    actor ${text} not null,
    detail ${text} not null
  ) ${tableEnd}`,
  'create index audit_by_time on audit (at)',
  'create index audit_by_task on audit (task_id, id)',
  'create index audit_by_kind on audit (kind, id)',

  `create table workspaces (
    id ${text} not null primary key,
    slug ${text} not null unique,
    path ${text} not null unique,
    added_at ${int} not null,
    added_by ${text} not null
  ) ${tableEnd}`,

  `create table nodes (
    id ${text} not null primary key,
    host ${text} not null,
    pid ${int} not null,
    version ${text} not null,
    epoch ${int} not null,
    opened_at ${int} not null
  ) ${tableEnd}`,
]
