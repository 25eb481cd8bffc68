import type { Backend } from '../backends.ts'

/** When each node was last heard of, by the clock of the store. Not in `nodes`: every write of a node locks its row there. */
export const nodeSigns = ({ int, text, tableEnd }: Backend): readonly string[] => [
  `create table node_signs (node_id ${text} not null primary key, at ${int} not null) ${tableEnd}`,
  `insert into node_signs (node_id, at)
    select id, coalesce((select max(events.at) from events where events.node_id = nodes.id), opened_at) from nodes`,
]
