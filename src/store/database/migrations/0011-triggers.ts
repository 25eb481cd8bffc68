import type { Backend } from '../backends.ts'

/** A prompt that somebody sends is a trigger: it has an id, a state, and its steps. Prompts from before have none. */
export const triggers = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `alter table inputs add column trigger_id ${text}`,
  `alter table inputs add column thread ${text}`,
  `alter table inputs add column reason ${text}`,
  `alter table inputs add column key ${text}`,
  `alter table inputs add column framed ${int} not null default 0`,
  `alter table inputs add column forced_by ${text}`,
  `alter table inputs add column forced_why ${text}`,
  `alter table inputs add column state ${text}`,
  `alter table inputs add column code ${text}`,
  `alter table inputs add column state_at ${int}`,
  `alter table inputs add column ack_by ${text}`,
  'create unique index triggers_by_id on inputs (trigger_id) where trigger_id is not null',
  'create unique index triggers_by_key on inputs (task_id, key) where key is not null',
  'create index triggers_by_age on inputs (at, trigger_id) where trigger_id is not null',
  'create index triggers_by_thread on inputs (thread, at, trigger_id) where thread is not null',
  'create index triggers_by_state on inputs (state, at, trigger_id) where state is not null',

  `create table trigger_steps (
    trigger_id ${text} not null,
    number ${int} not null,
    event ${text} not null,
    state ${text} not null,
    code ${text},
    at ${int} not null,
    evidence ${json} not null,
    primary key (trigger_id, number)
  ) ${tableEnd}`,

  `create table trigger_days (day ${text} not null primary key, last ${int} not null) ${tableEnd}`,
]
