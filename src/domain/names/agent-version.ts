// Owns what versions of an agent's program mean: known to our tests, or known not to work. Pure.

/** What a program must be for Holdfast to use it. */
export type ProgramNeeds = {
  /** Older ones are known not to work. */
  readonly version: string
  /** What the older ones lack, as the end of a sentence. */
  readonly why: string
  /** The oldest Node that runs it. */
  readonly node: string
}

/** Null is not known, and nothing against it. */
export type ProgramFound = { readonly version: string | null; readonly node: string | null }

export const isTested = (version: string, [oldest, newest]: readonly [string, string]): boolean =>
  compareVersions(version, oldest) >= 0 && compareVersions(version, newest) <= 0

/** Why it cannot work here; null when nothing is known against it. */
export function whyTooOld(needs: ProgramNeeds, { version, node }: ProgramFound): string | null {
  if (version !== null && compareVersions(version, needs.version) < 0)
    return `version ${version} is too old: it ${needs.why}; Holdfast needs ${needs.version} or later`
  if (node !== null && compareVersions(node, needs.node) < 0)
    return `it needs Node ${needs.node} or later, and the 'node' on your PATH is ${node}`
  return null
}

function compareVersions(a: string, b: string): number {
  const other = numbersOf(b)
  const differences = numbersOf(a).map((part, at) => part - (other[at] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}

const numbersOf = (version: string) => version.split('.').map(Number)
