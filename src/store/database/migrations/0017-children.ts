/** The children of a task are found by their parent, newest first. */
export const children = (): readonly string[] => [
  'create index tasks_by_parent on tasks (parent_id, created_at, id) where parent_id is not null',
]
