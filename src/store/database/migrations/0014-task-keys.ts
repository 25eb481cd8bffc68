import type { Backend } from '../backends.ts'

/** By which keys of clients tasks were made: a request that comes again finds its task here. */
export const taskKeys = ({ text, tableEnd }: Backend): readonly string[] => [
  `create table task_keys (
    created_by ${text} not null,
    key ${text} not null,
    digest ${text} not null,
    task_id ${text} not null,
    primary key (created_by, key)
  ) ${tableEnd}`,
  'create index task_keys_of_tasks on task_keys (task_id)',
]
