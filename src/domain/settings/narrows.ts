// Owns which direction is the narrow one. A project's file may only go there, unless a person approved it.
import { runsCommands, type VerifyContract } from '../verify/contract.ts'

/**
 * `any`: the value neither narrows nor widens. `less`: a smaller number. `fewer`: a part of the list.
 * `trust`: it executes something, so there is no narrow direction.
 * `looks`: checks that run no command.
 * `daemon`: one value serves all projects, so no project may set it, approved or not.
 */
export type Scope = 'any' | 'less' | 'fewer' | 'trust' | 'looks' | 'daemon'

/** Null is without end. */
export const isLess = (value: number | null, before: number | null) =>
  before === null || (value !== null && value <= before)

export const narrows: Readonly<Record<Scope, (value: never, before: never) => boolean>> = {
  any: () => true,
  less: isLess,
  fewer: (value: readonly string[], before: readonly string[]) =>
    value.every((name) => before.some((known) => covers(known, name))),
  trust: (value: object) => Object.keys(value).length === 0,
  looks: (value: VerifyContract) => !runsCommands(value),
  daemon: () => false,
}

/** A final `*` stands for any ending. */
const covers = (known: string, name: string) =>
  known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : known === name
