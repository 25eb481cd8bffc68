// Owns the words of notices, for somebody who reads them on a phone at night: what, which session, why, since when, and what
// can be done. Agents wrote much of what they tell: it is plain text here, without control characters, without secrets, and
// short. What a channel takes for markup is for the channel to escape.
import { withoutControls } from '../domain/conversation/spoken-text.ts'
import { BY_URGENCY, type NoticeKind } from '../domain/notify/notice.ts'
import type { Question } from '../domain/task/question.ts'
import type { Task } from '../domain/task/task.ts'
import { elapsed } from '../domain/text/elapsed.ts'
import { localTime } from '../domain/text/local-time.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'

const LONGEST_LABEL = 60
/** The subject of a mail and the head of a card show all of it. */
const LONGEST_TITLE = 140
const LONGEST_TEXT = 1500
const LONGEST_OPTION = 200
const MOST_OPTIONS = 20
/** All options together. */
const LONGEST_OPTIONS = 1600

export type Words = { readonly title: string; readonly text: string; readonly options: readonly string[] }

/** What happened, as far as its words depend on it. */
export type Telling = {
  /** What the session does, or what became of it: `completed`. */
  readonly does: string
  /** Why, or with which words. */
  readonly reason: string
  readonly question: Question | undefined
  /** What its agent said last; null where that says nothing more. */
  readonly lastWords: string | null
  /** Epoch ms. */
  readonly at: number
  /** When it goes on by itself; null when it does not. */
  readonly until: number | null
  /** Its runs so far; null where it does not matter what it took. */
  readonly runs: number | null
  /** Commands for what can be done. */
  readonly acts: readonly Act[]
}

/** `how`: a command; where a session is told of, without it. */
export type Act = { readonly what: string; readonly how: string; readonly more?: string }

type Told = Pick<Task, 'id' | 'name' | 'title' | 'agent' | 'startedAt' | 'createdAt' | 'costUsd'>

export function wordsOfTask(task: Told, telling: Telling): Words {
  const { does, question, at, until, acts } = telling
  const options = optionsOf(question)
  const label = line(task.name ?? task.title, LONGEST_LABEL)
  const said = (question?.text ?? telling.reason).trim()
  const first = said === '' ? firstSentence(telling.lastWords ?? '') : said
  const title = line(`${label} ${does}${first === '' ? '' : `: ${first}`}`, LONGEST_TITLE)
  return {
    title,
    text: [
      ...unlessIn(title, said),
      ...lastWordsOf(telling, said, title),
      ...options.map((option, place) => `${place + 1}. ${option}`),
      ...(telling.runs === null ? [] : [tookOf(task, telling.runs, at)]),
      ...untilOf(until),
      ...(task.name === null ? [] : [`About: ${line(task.title, LONGEST_TITLE)}`]),
      `When: ${localTime(at)}`,
      `Session: ${task.id}`,
      ...acts.map(({ what, how, more = '' }) => `${what}: holdfast ${how} ${task.id}${more}`),
    ].join('\n'),
    options,
  }
}

/** Of what concerns no single task. */
export function wordsOf({
  reason,
  at,
  until,
  acts,
}: Pick<Telling, 'reason' | 'at' | 'until' | 'acts'>): Words {
  const title = line(reason, LONGEST_TITLE)
  return {
    title,
    text: [
      ...unlessIn(title, reason),
      ...untilOf(until),
      `When: ${localTime(at)}`,
      ...acts.map(({ what, how }) => `${what}: holdfast ${how}`),
    ].join('\n'),
    options: [],
  }
}

const untilOf = (until: number | null) =>
  until === null ? [] : [`It goes on by itself: ${localTime(until)}`]

/** What is told in full by the title is not told again. */
function unlessIn(title: string, text: string): string[] {
  const shown = block(text)
  return shown === '' || title.endsWith(line(text, LONGEST_TEXT)) ? [] : [shown]
}

function lastWordsOf({ lastWords }: Telling, said: string, title: string): string[] {
  if (lastWords === null || said.includes(lastWords.trim())) return []
  return unlessIn(title, lastWords).map((words) => (said === '' ? words : `Its last words: ${words}`))
}

/** Of a long last word, what is worth a title. */
const firstSentence = (text: string) => /^[\s\S]*?[.!?](?=\s|$)/.exec(text.trim())?.[0] ?? text.trim()

function optionsOf(question: Question | undefined): string[] {
  const options = (question?.options ?? []).slice(0, MOST_OPTIONS)
  const most = Math.min(LONGEST_OPTION, Math.floor(LONGEST_OPTIONS / Math.max(1, options.length)))
  return options.map((one) => line(one, most))
}

function tookOf({ startedAt, createdAt, costUsd }: Told, runs: number, at: number): string {
  const parts = [
    `took ${elapsed((at - (startedAt ?? createdAt)) / 1000)}`,
    ...(costUsd > 0 ? [`cost $${costUsd.toFixed(2)}`] : []),
    ...(runs > 1 ? [`in ${runs} runs`] : []),
  ]
  return `It ${parts.join(', ')}.`
}

const COUNTED: Readonly<Record<NoticeKind, readonly [one: string, several: string]>> = {
  question: ['asks', 'ask'],
  escalation: ['needs you', 'need you'],
  failure: ['failed', 'failed'],
  stuck: ['shows no life', 'show no life'],
  limit: ['waits', 'wait'],
  completion: ['completed', 'completed'],
  progress: ['step', 'steps'],
}

/** One line for several: the first of them, which is the most urgent, and how many others there are of each kind. */
export function titleOf(notices: readonly { readonly title: string; readonly kind: NoticeKind }[]): string {
  const [first, ...others] = notices
  if (first === undefined || others.length === 0) return first?.title ?? ''
  const counts = BY_URGENCY.flatMap((kind) => {
    const count = others.filter((one) => one.kind === kind).length
    return count === 0 ? [] : [`${count} ${COUNTED[kind][count === 1 ? 0 : 1]}`]
  })
  return `${line(first.title, LONGEST_TITLE)} · and ${counts.join(', ')}`
}

/** What somebody wrote, as part of a line. */
export const line = (text: string, most: number) => cut(clean(text).replace(/\s+/g, ' ').trim(), most)
const block = (text: string) => cut(clean(text).trim(), LONGEST_TEXT)

/**
 * Direction marks and invisible characters could make a text look like another one. They are removed first: inside a secret
 * they would hide it.
 */
const clean = (text: string) => redactSecrets(withoutControls(text).replace(/[\p{Cf}\p{Cs}\p{Co}]/gu, ''))

const cut = (text: string, most: number) => {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most).join('')}…` : text
}
