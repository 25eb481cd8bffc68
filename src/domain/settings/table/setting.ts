// Owns what is said of one setting.

import type { Scope } from '../is-narrower.ts'
import type { Kind } from '../setting-kinds.ts'

export type Setting<T> = Kind<T> & {
  readonly fallback: T
  /** What a project's file may do with the setting. */
  readonly scope: Scope
  readonly about: string
}

export const setting = <T>(fallback: T, scope: Scope, kind: Kind<T>, about: string): Setting<T> => ({
  ...kind,
  fallback,
  scope,
  about,
})
