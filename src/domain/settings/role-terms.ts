// Owns the permission and the longest duration of a task: what its caller asked for, else its role, else the default.

import { HoldfastError } from '../errors.ts'
import { type Permission, permissionNarrows } from '../run/permission.ts'
import { durationText } from '../text/duration.ts'
import { type Approval, mayWiden, notTrusted } from './approval.ts'
import { isLess } from './is-narrower.ts'

export type Terms = {
  readonly permission: Permission
  /** Working time; null for no limit. */
  readonly maxDurationMs: number | null
}
/** Undefined: nothing was asked for. */
type Said = { readonly [K in keyof Terms]: Terms[K] | undefined }

/** `under`: the permission of the task whose run asks; null when a person asks. */
export type Asked = Said & { readonly under: Permission | null }
export type RoleTerms = Said & { readonly file: string; readonly approval: Approval }

/** `otherwise`: the terms when nobody asks for others. A person may ask for anything; a run may only narrow. */
export function termsFor(asked: Asked, role: RoleTerms | null, otherwise: Terms): Terms {
  const base = asked.under === null ? otherwise : within(asked.under, otherwise)
  const unlessAsked = role === null ? base : roleTerms(asked, role, base)
  const terms = filled(asked, unlessAsked)
  const bounds = asked.under === null ? [] : [unlessAsked.permission, asked.under]
  const crossed = bounds.find((bound) => !permissionNarrows(terms.permission, bound))
  if (crossed !== undefined)
    throw new HoldfastError(
      'NOT_ALLOWED_FOR_RUN',
      `A run may not widen permissions from '${crossed}' to '${terms.permission}'.`,
    )
  return terms
}

/** The terms for tasks that a run starts: never more permission than its own task has. */
const within = (under: Permission, { permission, maxDurationMs }: Terms): Terms => ({
  permission: permissionNarrows(permission, under) ? permission : under,
  maxDurationMs,
})

/** Terms that an unapproved role may not widen are ignored where the caller asked for its own; otherwise they are an error. */
function roleTerms(asked: Asked, role: RoleTerms, otherwise: Terms): Terms {
  const refused = mayWiden(role.approval) ? [] : widenedTerms(role, otherwise)
  const notAllowed = refused.find((term) => asked[term] === undefined)
  if (notAllowed !== undefined)
    throw notTrusted(
      role.file,
      `'${termText[notAllowed](role)}' would allow more than is allowed without it (you can also set this with ${flags[notAllowed]})`,
      role.approval,
    )
  const isTaken = (term: keyof Terms) => !refused.includes(term)
  return filled(
    {
      permission: isTaken('permission') ? role.permission : undefined,
      maxDurationMs: isTaken('maxDurationMs') ? role.maxDurationMs : undefined,
    },
    otherwise,
  )
}

/** The terms of a role that widen `otherwise`, written as in the role's file. */
export const wideningTerms = (said: Said, otherwise: Terms): string[] =>
  widenedTerms(said, otherwise).map((term) => termText[term](said))

function widenedTerms({ permission, maxDurationMs }: Said, otherwise: Terms): (keyof Terms)[] {
  const wider = permission !== undefined && !permissionNarrows(permission, otherwise.permission)
  const longer = maxDurationMs !== undefined && !isLess(maxDurationMs, otherwise.maxDurationMs)
  return [...(wider ? ['permission' as const] : []), ...(longer ? ['maxDurationMs' as const] : [])]
}

const filled = (said: Said, otherwise: Terms): Terms => ({
  permission: said.permission ?? otherwise.permission,
  maxDurationMs: said.maxDurationMs === undefined ? otherwise.maxDurationMs : said.maxDurationMs,
})

const termText = {
  permission: ({ permission }: Said) => `permissions: ${permission}`,
  maxDurationMs: ({ maxDurationMs }: Said) => `limits.max_duration: ${durationText(maxDurationMs ?? null)}`,
}
const flags = { permission: '--permissions', maxDurationMs: '--max-duration' }
