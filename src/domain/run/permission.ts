/**
 * How far an agent may go without asking: `default` is the agent's own setting, `read` changes nothing,
 * `edit` may change files of its directories, `full` may do everything the user may.
 */
export const PERMISSIONS = ['default', 'read', 'edit', 'full'] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * Certainly no more than before: read < edit < full. `default` lies anywhere from `read` to `full`, as the agent and
 * its settings have it, so nothing is known of it beside `edit`: going from one to the other may widen.
 */
export const permissionNarrows = (to: Permission, from: Permission) =>
  to === from || to === 'read' || from === 'full'
