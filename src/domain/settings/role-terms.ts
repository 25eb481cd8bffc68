// Owns what a role may ask for beside its persona, and what its tasks get: the asker's word, else the role's.

import { HoldfastError } from '../errors.ts'
import { type Permission, permissionNarrows } from '../run/permission.ts'
import { durationText } from '../text/duration.ts'
import { type Approval, mayWiden, notTrusted } from './approval.ts'
import { isLess } from './narrows.ts'

export type Terms = {
  readonly permission: Permission
  /** Working time; null is without end. */
  readonly maxDurationMs: number | null
}
/** Undefined: nothing was said. */
type Said = { readonly [K in keyof Terms]: Terms[K] | undefined }

/** `under`: what the task may do whose run asks; null when a person does. */
export type Asked = Said & { readonly under: Permission | null }
export type RoleTerms = Said & { readonly file: string; readonly approval: Approval }

/** `otherwise` is what holds when nobody says anything. A person's word counts as it stands; a run's only narrows. */
export function termsFor(asked: Asked, role: RoleTerms | null, otherwise: Terms): Terms {
  const ground = asked.under === null ? otherwise : within(asked.under, otherwise)
  const without = role === null ? ground : roleTerms(asked, role, ground)
  const terms = filled(asked, without)
  const bounds = asked.under === null ? [] : [without.permission, asked.under]
  const crossed = bounds.find((bound) => !permissionNarrows(terms.permission, bound))
  if (crossed !== undefined)
    throw new HoldfastError(
      'NOT_ALLOWED_FOR_RUN',
      `A run may not widen permissions from '${crossed}' to '${terms.permission}'.`,
    )
  return terms
}

/** What holds for a task's own tasks: never more than it may itself. */
const within = (under: Permission, { permission, maxDurationMs }: Terms): Terms => ({
  permission: permissionNarrows(permission, under) ? permission : under,
  maxDurationMs,
})

/** What an unapproved file may not ask for is not heard; when nobody says it in its stead, that is an error. */
function roleTerms(asked: Asked, role: RoleTerms, otherwise: Terms): Terms {
  const refused = mayWiden(role.approval) ? [] : widenedTerms(role, otherwise)
  const missed = refused.find((term) => asked[term] === undefined)
  if (missed !== undefined)
    throw notTrusted(
      role.file,
      `'${termText[missed](role)}' would allow more than is allowed without it (you can also set this with ${flags[missed]})`,
      role.approval,
    )
  const heard = (term: keyof Terms) => !refused.includes(term)
  return filled(
    {
      permission: heard('permission') ? role.permission : undefined,
      maxDurationMs: heard('maxDurationMs') ? role.maxDurationMs : undefined,
    },
    otherwise,
  )
}

/** As they stand in the file. */
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
