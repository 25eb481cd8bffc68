// Owns the form of the rules about ends: what each is about, and what it decides. Pure.
import { firstLine } from '../../domain/text/first-line.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { After, EndFacts } from './decide-end.ts'

export type Described = {
  readonly name: string
  /** For the docs: what happened, and what follows. */
  readonly seen: string
  readonly does: string
}
type Decided = { readonly after: After; readonly reason: string }
/** `decide`: null where the rule does not apply. */
export type Rule = Described & { readonly decide: (facts: EndFacts) => Decided | null }
export type LastRule = Described & { readonly decide: (facts: EndFacts) => Decided }

/** Characters of an agent's words that a reason repeats. */
const MOST_SAID = 300

/** A rule about something that an end may have, or not: what it found is passed on. */
export function whenFound<Found>({
  find,
  after,
  reason,
  ...described
}: Described & {
  readonly find: (facts: EndFacts) => Found | null
  readonly after: (found: Found, facts: EndFacts) => After
  readonly reason: (found: Found, facts: EndFacts) => string
}): Rule {
  const decide = (facts: EndFacts) => {
    const found = find(facts)
    return found === null ? null : { after: after(found, facts), reason: reason(found, facts) }
  }
  return { ...described, decide }
}

export function when({
  applies,
  ...rule
}: Described & {
  readonly applies: (facts: EndFacts) => boolean
  readonly after: (facts: EndFacts) => After
  readonly reason: (facts: EndFacts) => string
}): Rule {
  return whenFound({ ...rule, find: (facts) => (applies(facts) ? facts : null) })
}

export function whyFailed({ result, ending }: EndFacts): string {
  if (result === null) return ending
  const said = redactSecrets(firstLine(result.text.trim())).slice(0, MOST_SAID)
  return said === '' ? 'the agent reported a failure' : said
}
