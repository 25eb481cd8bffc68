// Owns what the version of an agent's program tells: tested with Holdfast, or known not to work. Pure.

/** What a program must be for Holdfast to use it. */
export type ProgramNeeds = {
  /** The oldest version that works. */
  readonly version: string
  /** What older versions lack, as the end of a sentence that begins with "it". */
  readonly why: string
  /** The oldest Node version that runs the program. */
  readonly node: string
}

/** Null: the version is not known, and is not held against the program. */
export type ProgramFound = { readonly version: string | null; readonly node: string | null }

export const isTested = (version: string, [oldest, newest]: readonly [string, string]): boolean =>
  compareVersions(version, oldest) >= 0 && compareVersions(version, newest) <= 0

/** Why the program cannot work here; null when nothing is known against it. */
export function whyTooOld(needs: ProgramNeeds, { version, node }: ProgramFound): string | null {
  if (version !== null && compareVersions(version, needs.version) < 0)
    return `version ${version} is too old: it ${needs.why}; Holdfast needs ${needs.version} or later`
  if (node !== null && compareVersions(node, needs.node) < 0)
    return `it needs Node ${needs.node} or later, and the 'node' on your PATH is ${node}`
  return null
}

/** A part that is missing is 0: 2.1 is older than 2.1.5, and the same as 2.1.0. */
function compareVersions(a: string, b: string): number {
  const [one, other] = [numbersOf(a), numbersOf(b)]
  const longer = one.length >= other.length ? one : other
  const differences = longer.map((_, at) => (one[at] ?? 0) - (other[at] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}

const numbersOf = (version: string) => version.split('.').map(Number)
