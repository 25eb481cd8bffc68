import type { Backend } from '../backends.ts'

/** Which event an event follows from, and how many led to it. And whether an order has had its effect. */
export const causes = ({ int, text }: Backend): readonly string[] => [
  `alter table events add column cause_node ${text}`,
  `alter table events add column cause_seq ${int}`,
  `alter table events add column depth ${int} not null default 0`,
  `alter table orders add column took_effect ${int} not null default 0`,
]
