/** Lists leave archived tasks out, so their indexes do too. Open questions and tasks to archive get indexes of their own. */
export const retention = (): readonly string[] => [
  'drop index tasks_by_age',
  'drop index tasks_by_status',
  'drop index tasks_by_project',
  'create index tasks_by_age on tasks (created_at, id) where archived_at is null',
  'create index tasks_by_status on tasks (status, created_at, id) where archived_at is null',
  'create index tasks_by_project on tasks (project, created_at, id) where archived_at is null',
  'create index tasks_archived on tasks (created_at, id) where archived_at is not null',
  'create index tasks_to_archive on tasks (node_id, tidied, ended_at, id) where archived_at is null',

  'drop index tasks_in_queue',
  'create index tasks_in_queue on tasks (node_id, status, priority desc, (started_at is null), created_at, id)',

  'create index questions_open on questions (asked_at, task_id, number) where settled_at is null',
]
