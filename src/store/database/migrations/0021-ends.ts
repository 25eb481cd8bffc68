/** Ended tasks are found by their end, the last one first; those in the archive by an index of their own. */
export const ends = (): readonly string[] => [
  // With archived_at in the index, the rows themselves need not be read.
  `create index tasks_by_end on tasks (ended_at, id, archived_at)
    where ended_at is not null and archived_at is null`,
  `create index tasks_archived_by_end on tasks (ended_at, id, archived_at)
    where ended_at is not null and archived_at is not null`,
]
