import type { Backend } from '../backends.ts'

/** What people are told by channels, and the deliveries by which they are. */
export const notices = ({ int, text, json, tableEnd }: Backend): readonly string[] => [
  `create table notices (
    id ${text} not null primary key,
    channel ${text} not null,
    kind ${text} not null,
    task_id ${text},
    question ${int},
    run_id ${text},
    title ${text} not null,
    text ${text} not null,
    options ${json} not null,
    at ${int} not null,
    delivery_id ${text},
    dropped ${text}
  ) ${tableEnd}`,
  `create index notices_unbound on notices (channel, at, id) where delivery_id is null and dropped is null`,
  'create index notices_of_delivery on notices (delivery_id) where delivery_id is not null',
  'create index notices_by_time on notices (at, id)',
  `create table deliveries (
    id ${text} not null primary key,
    channel ${text} not null,
    node_id ${text} not null,
    state ${text} not null,
    tries ${int} not null,
    next_at ${int} not null,
    created_at ${int} not null,
    settled_at ${int},
    error ${text}
  ) ${tableEnd}`,
  `create index deliveries_waiting on deliveries (channel, created_at, id) where state = 'waiting'`,
  'create index deliveries_by_state on deliveries (channel, state, settled_at)',
]
