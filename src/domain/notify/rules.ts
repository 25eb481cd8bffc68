// Owns which channels are told of what. Pure.
import { type NoticeKind, USUAL_KINDS } from './notice.ts'

export type NoticeRule = {
  readonly events: readonly NoticeKind[]
  /** One of these tags, or one of these roles; all when empty. */
  readonly tags: readonly string[]
  readonly roles: readonly string[]
  /** All when empty. */
  readonly channels: readonly string[]
  /** Also ends and progress of tasks that other tasks started: those are told to their parents. */
  readonly children: boolean
}

/** Null where no single task is concerned. */
type About = {
  readonly tags: readonly string[]
  readonly role: string | null
  readonly isChild: boolean
} | null

const EVERYWHERE: NoticeRule = { events: USUAL_KINDS, tags: [], roles: [], channels: [], children: false }

/** What a parent is told of its children. */
const FOR_PARENTS: readonly NoticeKind[] = ['completion', 'failure', 'progress']

/** The names of the channels, each once. Without rules, all are told all but progress. */
export function channelsFor(
  kind: NoticeKind,
  about: About,
  rules: readonly NoticeRule[],
  channels: readonly string[],
): string[] {
  const matching = (rules.length === 0 ? [EVERYWHERE] : rules).filter((rule) => applies(rule, kind, about))
  return channels.filter((name) =>
    matching.some((rule) => rule.channels.length === 0 || rule.channels.includes(name)),
  )
}

function applies(rule: NoticeRule, kind: NoticeKind, about: About): boolean {
  if (!rule.events.includes(kind)) return false
  if (about === null) return rule.tags.length === 0 && rule.roles.length === 0
  if (about.isChild && !rule.children && FOR_PARENTS.includes(kind)) return false
  const hasTag = rule.tags.length === 0 || rule.tags.some((tag) => about.tags.includes(tag))
  const hasRole = rule.roles.length === 0 || (about.role !== null && rule.roles.includes(about.role))
  return hasTag && hasRole
}
