import type { Backend } from '../backends.ts'

/** How tasks go on after a run that ended early, and what they wait for. */
export const recovery = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `alter table tasks add column retries ${int} not null default 0`,
  `alter table tasks add column go_on ${json}`,
  `alter table tasks add column restart ${json}`,
  `alter table tasks add column account ${text}`,
  `alter table tasks add column gate ${text}`,
  `alter table tasks add column verification ${json}`,
  `alter table tasks add column session_usage ${json}`,
  `alter table tasks add column archived_at ${int}`,
  'create index tasks_by_account on tasks (account)',
  'create index runs_by_end on runs (node_id, ended_at)',
  'create index tasks_waiting on tasks (node_id, phase, phase_until)',

  `alter table runs add column how ${text} not null default 'start'`,
  `alter table runs add column tools ${int} not null default 0`,
  `alter table runs add column progress ${int} not null default 0`,
  `alter table runs add column failure ${text}`,
  `alter table runs add column limited_until ${int}`,
  `alter table runs add column events_lost ${int} not null default 0`,
  `alter table runs add column session_refused ${int} not null default 0`,
  `alter table runs add column daemon_deaths ${int} not null default 0`,
  `alter table runs add column steps ${json} not null default '[]'`,

  `create table gates (
    node_id ${text} not null,
    key ${text} not null,
    kind ${text} not null,
    since ${int} not null,
    until ${int} not null,
    tries ${int} not null,
    canary ${text},
    reason ${text} not null,
    primary key (node_id, key)
  ) ${tableEnd}`,

  `create table cursors (
    name ${text} not null primary key,
    seq ${int} not null,
    at ${int} not null
  ) ${tableEnd}`,
]
