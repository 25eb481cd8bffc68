/**
 * Node's own choice for young objects is three times 16 MB. A daemon makes many that die at once, so that 4 MB do as well:
 * while it lists 100,000 tasks, its memory stays some 30 MB lower (bench/list-scale).
 */
const SMALL_YOUNG_SPACE = '--max-semi-space-size=4'

/** What Node is given to run the daemon of a home. */
export const daemonArguments = (script: string, home: string): readonly string[] => [
  SMALL_YOUNG_SPACE,
  script,
  '--home',
  home,
]
