import type { Backend } from '../backends.ts'

/** Who failed behind a gate: they go to the back of those that wait. */
export const canaries = ({ json }: Backend): readonly string[] => [
  `alter table gates add column failed ${json} not null default '[]'`,
]
