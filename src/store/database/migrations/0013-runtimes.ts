import type { Backend } from '../backends.ts'

/** Standing tasks, and the registry of where they are. A task's `runtime` is its agent id; null for all other tasks. */
export const runtimes = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `alter table tasks add column runtime ${text}`,
  'create index tasks_of_runtimes on tasks (runtime, id) where runtime is not null',
  `create table runtimes (
    id ${text} not null primary key,
    task_id ${text} not null,
    node_id ${text} not null,
    agent_id ${text} not null,
    workspace_id ${text} not null,
    role ${text} not null,
    tmux_session ${text} not null,
    tmux_window ${text} not null,
    tmux_pane ${int} not null,
    state ${text} not null,
    state_since ${int} not null,
    reason ${text} not null,
    wanted ${text} not null,
    pid ${int},
    operator_busy ${int} not null,
    last_heartbeat_at ${int},
    last_trigger_id ${text},
    restarts ${int} not null,
    drifts ${int} not null,
    moves ${int} not null,
    created_at ${int} not null,
    created_by ${text} not null
  ) ${tableEnd}`,
  'create unique index runtimes_by_role on runtimes (workspace_id, role)',
  'create unique index runtimes_by_name on runtimes (agent_id)',
  // Two roles whose names differ only in what tmux does not keep would share a window.
  'create unique index runtimes_by_place on runtimes (node_id, tmux_session, tmux_window)',
  'create unique index runtimes_by_task on runtimes (task_id)',
  `create table runtime_transitions (
    runtime_id ${text} not null,
    number ${int} not null,
    event ${text} not null,
    from_state ${text} not null,
    to_state ${text} not null,
    reason ${text} not null,
    evidence ${json} not null,
    at ${int} not null,
    primary key (runtime_id, number)
  ) ${tableEnd}`,
]
