import type { Backend } from '../backends.ts'

/** What people call a task, and what it is about. */
export const names = ({ text, jsonField }: Backend): readonly string[] => [
  `alter table tasks add column name ${text}`,
  `alter table tasks add column title ${text} not null default ''`,
  `update tasks set title = substr(${jsonField('snapshot', 'prompt')}, 1, 120)`,
  'create index tasks_by_name on tasks (name)',
]
