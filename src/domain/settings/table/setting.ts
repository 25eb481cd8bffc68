// Owns what is said of one setting.

import type { Scope } from '../is-narrower.ts'
import type { Kind } from '../setting-kinds.ts'

/**
 * When a setting is read. `start`: as the daemon starts. `create`: as a task is created, which keeps it. `use`: each time
 * that it is needed.
 */
export type ReadAt = 'start' | 'create' | 'use'

export type Setting<T, S extends Scope = Scope> = Kind<T> & {
  readonly fallback: T
  /** What a project's file may do with the setting. */
  readonly scope: S
  readonly readAt: ReadAt
  readonly about: string
}

/** The daemon reads its own settings as it starts. All others belong to a project, whose file it reads for its tasks. */
export const setting = <T, const S extends Scope>(
  fallback: NoInfer<T>,
  scope: S,
  kind: Kind<T>,
  about: string,
  readAt: ReadAt = scope === 'daemon' ? 'start' : 'create',
): Setting<T, S> => ({ ...kind, fallback, scope, readAt, about })
