/**
 * What an agent may do without asking. `default`: what its own settings allow. `read`: change nothing.
 * `edit`: change files in its directories. `full`: everything that the user may do.
 */
export const PERMISSIONS = ['default', 'read', 'edit', 'full'] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * True when `to` certainly allows no more than `from`: read < edit < full. What `default` allows depends on the agent's
 * settings, so a change between `default` and `edit` may widen in either direction.
 */
export const permissionNarrows = (to: Permission, from: Permission) =>
  to === from || to === 'read' || from === 'full'

/** Widest first. Where `default` lies depends on the agent's settings; it counts only for who may do everything. */
const BY_WIDTH: readonly Permission[] = ['full', 'edit', 'default', 'read']

/** The widest of these that certainly allows no more than `from`; undefined when none does. */
export const nearestNarrower = (from: Permission, among: readonly Permission[]): Permission | undefined =>
  BY_WIDTH.find((one) => among.includes(one) && permissionNarrows(one, from))
