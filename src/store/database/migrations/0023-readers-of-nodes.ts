/** Each node follows its own events, as with notices: one reader for all heard nothing of what others committed. */
export const readersOfNodes = (): readonly string[] => [
  `insert into subscribers (name, place, epoch, at)
    select subscribers.name || '@' || nodes.id, place, subscribers.epoch, at
    from subscribers cross join nodes where subscribers.name in ${FORMER}`,
  `update set_aside set subscriber = subscriber || '@' || node_id where subscriber in ${FORMER}`,
  `delete from subscribers where name in ${FORMER}`,
]

const FORMER = "('parents', 'unread', 'operators', 'traces')"
