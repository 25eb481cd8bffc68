// Owns what narrowing means for each kind of setting. A project's file may only narrow, unless a person approved it.
import { runsCommands, type VerifyContract } from '../verify/contract.ts'

/**
 * What a project's file may set without approval.
 * `any`: every value. `less`: a smaller number. `fewer`: a part of the list.
 * `trust`: nothing, because the value executes something or answers for a person.
 * `looks`: checks that run no command.
 * `daemon`: nothing, even with approval, because one value serves all projects.
 */
export type Scope = 'any' | 'less' | 'fewer' | 'trust' | 'looks' | 'daemon'

/** Null means no limit. */
export const isLess = (value: number | null, before: number | null) =>
  before === null || (value !== null && value <= before)

export const isNarrower: Readonly<Record<Scope, (value: never, before: never) => boolean>> = {
  any: () => true,
  less: isLess,
  fewer: (value: readonly string[], before: readonly string[]) =>
    value.every((name) => before.some((known) => covers(known, name))),
  trust: (value: object) => Object.keys(value).length === 0,
  looks: (value: VerifyContract) => !runsCommands(value),
  daemon: () => false,
}

/** A final `*` in `known` stands for any ending. */
const covers = (known: string, name: string) =>
  known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name
