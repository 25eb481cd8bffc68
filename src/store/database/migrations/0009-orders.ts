import type { Backend } from '../backends.ts'

/** What somebody wants of a task. A key that is given again names the same order. */
export const orders = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `create table orders (
    id ${text} not null primary key,
    task_id ${text} not null,
    kind ${text} not null,
    by ${text} not null,
    at ${int} not null,
    key ${text},
    words ${text},
    expires_at ${int} not null,
    state ${text} not null,
    version ${int} not null,
    run_id ${text},
    settled_at ${int},
    outcome ${json}
  ) ${tableEnd}`,
  'create unique index orders_by_key on orders (task_id, key) where key is not null',
  'create index orders_of_task on orders (task_id, at, id)',
  "create index orders_open on orders (state, at) where state in ('placed', 'begun')",
  'create index orders_settled on orders (settled_at) where settled_at is not null',
]
