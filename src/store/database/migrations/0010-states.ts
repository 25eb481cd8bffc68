import type { Backend } from '../backends.ts'

/** Each fact stays only in the phases that have it. What a run was told at its start is the run's, no longer its task's. */
export const states = ({ int, text, json }: Backend): readonly string[] => [
  `alter table tasks add column waits_for ${json}`,
  `alter table tasks add column question ${int}`,
  `alter table runs add column told ${text}`,
  `update tasks set question =
     (select min(number) from questions where questions.task_id = tasks.id and settled_at is null)
   where status = 'waiting_input'`,
  `update runs set told = (select tasks.go_on ->> 'say' from tasks where tasks.run_id = runs.id) where how <> 'start'`,
  `update tasks set go_on = null
   where go_on is not null and (phase is null or phase not in ('queued', 'backing_off', 'parked'))`,
  `update tasks set gate = null where gate is not null and (phase is null or phase <> 'parked')`,
]
