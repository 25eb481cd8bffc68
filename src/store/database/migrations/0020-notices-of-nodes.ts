import type { Backend } from '../backends.ts'

/** Each node tells by its own channels: what happened to its tasks, found by a reader of its own. */
export const noticesOfNodes = ({ text }: Backend): readonly string[] => [
  `alter table notices add column node_id ${text} not null default ''`,
  // What happened to no task, or to one that was removed, is told by the node that was started last.
  `update notices set node_id = coalesce(
    (select node_id from tasks where tasks.id = notices.task_id),
    (select id from nodes order by opened_at desc, id limit 1),
    '')`,
  'drop index notices_unbound',
  `create index notices_unbound on notices (node_id, channel, at, id)
    where delivery_id is null and dropped is null`,
  `insert into subscribers (name, place, epoch, at)
    select 'notices@' || nodes.id, place, subscribers.epoch, at
    from subscribers cross join nodes where subscribers.name = 'notices'`,
  `update set_aside set subscriber = 'notices@' || node_id where subscriber = 'notices'`,
  `delete from subscribers where name = 'notices'`,
]
