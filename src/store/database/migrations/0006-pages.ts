import { ENDED } from '../../../domain/task/machine.ts'
import type { Backend } from '../backends.ts'

/** Lists are read in pages: each walks one index from where the last one stopped. Totals come from counters. */
export const pages = ({ int }: Backend): readonly string[] => [
  // With archived_at in the index, the rows themselves need not be read, whose large columns would take time.
  ...['tasks_by_status', 'tasks_by_project', 'tasks_archived'].map((index) => `drop index ${index}`),
  'create index tasks_by_status on tasks (status, created_at, id, archived_at) where archived_at is null',
  'create index tasks_by_project on tasks (project, status, created_at, id, archived_at) where archived_at is null',
  'create index tasks_archived on tasks (created_at, id, archived_at) where archived_at is not null',

  `alter table task_tags add column created_at ${int} not null default 0`,
  'update task_tags set created_at = (select created_at from tasks where tasks.id = task_tags.task_id)',
  'create index task_tags_by_age on task_tags (tag, created_at, task_id)',

  ...ENDED.map(
    (status) =>
      `insert into counters (name, value)
       select 'archived_${status}', count(*) from tasks where archived_at is not null and status = '${status}'`,
  ),
]
