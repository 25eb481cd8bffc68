/**
 * How far an agent may go without asking: `default` is the agent's own setting, `read` changes nothing,
 * `edit` may change files of its directories, `full` may do everything the user may.
 */
export const PERMISSIONS = ['default', 'read', 'edit', 'full'] as const
export type Permission = (typeof PERMISSIONS)[number]
