// Owns which tmux is new enough: 3.2.

/** Understands `tmux 3.3a`, `tmux next-3.6`, `tmux openbsd-7.4` (the number of the OpenBSD release) and `tmux master`. */
export function isNewEnough(version: string): boolean {
  if (version === 'tmux master') return true
  const match = /^tmux (next-|openbsd-)?(\d+)\.(\d+)/.exec(version)
  if (match === null) return false
  const [oldestMajor, oldestMinor] = match[1] === 'openbsd-' ? FIRST_OPENBSD_WITH_3_2 : [3, 2]
  const [major, minor] = [Number(match[2]), Number(match[3])]
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

const FIRST_OPENBSD_WITH_3_2 = [6, 9] as const
