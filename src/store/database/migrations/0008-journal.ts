import type { Backend } from '../backends.ts'

/**
 * Each node gets an event sequence and counters of its own. Each sequence goes on where the common one was, so that the
 * places that readers remember stay valid.
 */
export const journal = ({ int, text, json, tableEnd, randomText }: Backend): readonly string[] => [
  `create table journal (generation ${text} not null primary key) ${tableEnd}`,
  `insert into journal (generation) values (${randomText})`,

  `create table node_counters (
    node_id ${text} not null,
    name ${text} not null,
    value ${int} not null,
    primary key (node_id, name)
  ) ${tableEnd}`,
  `insert into node_counters (node_id, name, value)
   select nodes.id, counters.name, counters.value from nodes, counters where counters.name = 'event_seq'`,
  `insert into node_counters (node_id, name, value)
   select node_id, 'tasks_' || status, count(*) from tasks group by node_id, status`,
  `insert into node_counters (node_id, name, value)
   select node_id, 'archived_' || status, count(*) from tasks where archived_at is not null group by node_id, status`,
  'drop table counters',
  'alter table node_counters rename to counters',

  `create table node_events (
    node_id ${text} not null,
    seq ${int} not null,
    at ${int} not null,
    kind ${text} not null,
    task_id ${text},
    data ${json} not null,
    primary key (node_id, seq)
  ) ${tableEnd}`,
  `insert into node_events (node_id, seq, at, kind, task_id, data)
   select node_id, seq, at, kind, task_id, data from events`,
  'drop table events',
  'alter table node_events rename to events',
  'create index events_by_task on events (task_id, node_id, seq)',

  `create table subscribers (
    name ${text} not null primary key,
    epoch ${int} not null,
    at ${int} not null,
    place ${text} not null
  ) ${tableEnd}`,

  `create table set_aside (
    subscriber ${text} not null,
    node_id ${text} not null,
    seq ${int} not null,
    at ${int} not null,
    error ${text},
    event ${json} not null,
    primary key (subscriber, node_id, seq)
  ) ${tableEnd}`,
]
