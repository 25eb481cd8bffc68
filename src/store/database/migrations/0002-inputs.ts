import type { Backend } from '../backends.ts'

/** What is said to an agent, what it asks, and what the user's hooks kept it from. */
export const inputs = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `create table inputs (
    task_id ${text} not null references tasks (id),
    number ${int} not null,
    kind ${text} not null,
    by ${text} not null,
    at ${int} not null,
    question ${int},
    option ${int},
    run_id ${text},
    "offset" ${int},
    said_at ${int},
    heard_at ${int},
    done_at ${int},
    text ${text} not null,
    line ${text},
    primary key (task_id, number)
  ) ${tableEnd}`,

  `create table questions (
    task_id ${text} not null references tasks (id),
    number ${int} not null,
    run_id ${text} not null,
    ref ${text},
    asked_at ${int} not null,
    answered_by ${text},
    answered_at ${int},
    settled_at ${int},
    text ${text} not null,
    options ${json} not null,
    answer ${text},
    primary key (task_id, number)
  ) ${tableEnd}`,

  `alter table runs add column input_length ${int} not null default 0`,
  `alter table tasks add column hook_violations ${json} not null default '[]'`,
]
