import type { Backend } from '../backends.ts'

/** The tasks that failed while they tried a gate: they are last in the line behind it. */
export const canaries = ({ json }: Backend): readonly string[] => [
  `alter table gates add column failed ${json} not null default '[]'`,
]
