import type { Backend } from '../backends.ts'

/** The keys of all requests that make something, not of tasks alone. */
export const requestKeys = ({ int, text, tableEnd }: Backend): readonly string[] => [
  `create table request_keys (
    created_by ${text} not null,
    route ${text} not null,
    key ${text} not null,
    digest ${text} not null,
    task_id ${text},
    made ${text} not null,
    at ${int} not null,
    primary key (created_by, route, key)
  ) ${tableEnd}`,
  `insert into request_keys (created_by, route, key, digest, task_id, made, at)
    select created_by, 'POST /api/tasks', key, digest, task_id, '', 0 from task_keys`,
  'drop table task_keys',
  'create index request_keys_of_tasks on request_keys (task_id)',
  'create index request_keys_by_age on request_keys (at) where task_id is null',
]
