// Owns when a parent is told of its children: what happens within a short time is told at once, together. Pure.
import type { ChildNews } from './child-news.ts'
import { isEnded } from './machine.ts'
import type { Task } from './task.ts'

/** Now or later: a runtime that is stopped goes on when it is started again. */
export const canBeTold = ({ status, runtime }: Pick<Task, 'status' | 'runtime'>) =>
  runtime !== null || !isEnded(status)

/**
 * `hears`: by a trigger. `is_being_told`: of earlier news, which its agent does not have yet. `waits`: for its children, and
 * all have ended; `waits_for_more`: some have not. `cannot_be_told`: it has ended, or hears nothing while it works.
 */
export type ParentState = 'hears' | 'is_being_told' | 'waits' | 'waits_for_more' | 'cannot_be_told'

/** `at`: epoch ms. */
type News = { readonly what: ChildNews; readonly at: number }
export type ParentWake =
  | { readonly kind: 'now' }
  | { readonly kind: 'at'; readonly at: number }
  /** It is looked at again when something changes. */
  | { readonly kind: 'later' }

/** These do not end a child: it goes on only when somebody does something. */
const NEEDS_SOMEBODY: readonly ChildNews[] = ['question_asked', 'escalated']

/** `news`: what it was not told yet, oldest first. */
export function parentWake(
  news: readonly News[],
  parent: ParentState,
  { quietMs, now }: { readonly quietMs: number; readonly now: number },
): ParentWake {
  const [first] = news
  if (first === undefined || parent === 'cannot_be_told' || parent === 'is_being_told')
    return { kind: 'later' }
  if (parent === 'waits_for_more' && !news.some(({ what }) => NEEDS_SOMEBODY.includes(what)))
    return { kind: 'later' }
  // A clock that was set back makes nobody wait for longer.
  const due = Math.min(first.at, now) + quietMs
  return due <= now ? { kind: 'now' } : { kind: 'at', at: due }
}
