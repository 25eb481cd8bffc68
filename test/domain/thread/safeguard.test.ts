import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Guarded, type GuardedPost, guardPost } from '../../../src/domain/thread/safeguard.ts'

/** What somebody does with a thread. `finding` is which of a few findings it is. */
type Step =
  | { readonly does: 'posts'; readonly kind: 'message' | 'status' | 'result' }
  | { readonly does: 'finds'; readonly finding: number }
  | { readonly does: 'person speaks' }
  | { readonly does: 'continued' }

const agentPosts = fc.record({
  does: fc.constant('posts' as const),
  kind: fc.constantFrom('message' as const, 'status' as const, 'message' as const, 'result' as const),
})
const agentFinds = fc.record({ does: fc.constant('finds' as const), finding: fc.integer({ min: 0, max: 2 }) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: agentPosts },
  { weight: 6, arbitrary: agentFinds },
  { weight: 1, arbitrary: fc.constant({ does: 'person speaks' as const }) },
  { weight: 1, arbitrary: fc.constant({ does: 'continued' as const }) },
)

/** The rule, read off the whole history: what was posted since a person's word, and since the last progress. */
function isBlockedByRule(
  history: readonly Step[],
  limits: { maxTurns: number; maxIdenticalFindings: number },
) {
  const last = history.at(-1)
  if (last === undefined || last.does === 'person speaks' || last.does === 'continued') return false
  const fresh = history.findLastIndex(({ does }) => does === 'person speaks' || does === 'continued') + 1
  const isProgress = (one: Step, at: number) =>
    (one.does === 'posts' && one.kind === 'result') ||
    (one.does === 'finds' && !history.slice(0, at).some((other) => isSame(one, other)))
  const progress = history.findLastIndex(isProgress) + 1
  const turns = history.length - Math.max(fresh, progress)
  const same = last.does === 'finds' ? history.slice(fresh).filter((other) => isSame(last, other)).length : 0
  return turns >= limits.maxTurns || same >= limits.maxIdenticalFindings
}

const isSame = (one: Step, other: Step) =>
  one.does === 'finds' && other.does === 'finds' && one.finding === other.finding

test('in whatever order things are posted, a thread is blocked exactly when the rule says so', () => {
  const limits = { maxTurns: 4, maxIdenticalFindings: 3 }
  let blocks = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40, size: 'max' }), (steps) => {
      let state = { turnsWithoutProgress: 0, guardedAfter: 0 }
      const posted: (number | null)[] = []
      const history: Step[] = []
      for (const one of steps) {
        history.push(one)
        const guarded = take(one, state, posted, limits)
        expect(guarded.why !== null).toBe(isBlockedByRule(history, limits))
        if (guarded.why !== null) blocks++
        state = guarded
      }
    }),
    { numRuns: 500 },
  )
  expect(blocks).toBeGreaterThan(50)
})

/** `posted`: which finding each message was, null for what is none. */
function take(
  one: Step,
  state: Pick<Guarded, 'turnsWithoutProgress' | 'guardedAfter'>,
  posted: (number | null)[],
  limits: Parameters<typeof guardPost>[3],
): Guarded {
  if (one.does === 'continued') return { turnsWithoutProgress: 0, guardedAfter: posted.length, why: null }
  const finding = one.does === 'finds' ? one.finding : null
  const count = (from: number) =>
    finding === null ? 0 : posted.slice(from).filter((other) => other === finding).length
  const post: GuardedPost = {
    kind: one.does === 'posts' ? one.kind : one.does === 'finds' ? 'finding' : 'message',
    isPersons: one.does === 'person speaks',
    sameBefore: count(0),
    sameSince: count(state.guardedAfter),
  }
  posted.push(finding)
  return guardPost(state, post, posted.length, limits)
}

const DEFAULTS = { maxTurns: 20, maxIdenticalFindings: 3 }
const chat: GuardedPost = { kind: 'message', isPersons: false, sameBefore: 0, sameSince: 0 }

test('the twentieth message without progress blocks, the nineteenth does not, and both say nothing of findings', () => {
  const after = (turns: number) =>
    guardPost({ turnsWithoutProgress: turns, guardedAfter: 0 }, chat, turns + 1, DEFAULTS)
  expect(after(18)).toEqual({ turnsWithoutProgress: 19, guardedAfter: 0, why: null })
  expect(after(19)).toMatchObject({ why: '20 messages of agents without progress' })
})
