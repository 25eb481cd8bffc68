// Owns the words of notices. Agents wrote much of what they tell: it is plain text here, without control characters,
// without secrets, and short. What a channel takes for markup is for the channel to escape.
import { withoutControls } from '../domain/conversation/spoken-text.ts'
import type { NoticeKind } from '../domain/notify/notice.ts'
import type { Question, Task } from '../domain/task/task.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'

const LONGEST_LABEL = 60
const LONGEST_TITLE = 200
const LONGEST_TEXT = 1500
const LONGEST_OPTION = 200
const MOST_OPTIONS = 20

const SAYS: Readonly<Record<NoticeKind, string>> = {
  completion: 'completed',
  failure: 'failed',
  question: 'asks',
  limit: 'waits for the end of a limit',
  stuck: 'shows no life',
  escalation: 'needs you',
  progress: 'goes on',
}

export type Words = { readonly title: string; readonly text: string; readonly options: readonly string[] }

/** `question`: what it tells of, if that is one. */
export function wordsOfTask(
  kind: NoticeKind,
  task: Pick<Task, 'id' | 'name' | 'title'>,
  reason: string,
  question: Question | undefined,
): Words {
  const options = (question?.options ?? []).slice(0, MOST_OPTIONS).map((one) => line(one, LONGEST_OPTION))
  const label = line(task.name ?? task.title, LONGEST_LABEL)
  const said = question?.text ?? reason
  return {
    title: line(`${label} ${SAYS[kind]}${said === '' ? '' : `: ${said}`}`, LONGEST_TITLE),
    text: [
      block(said),
      ...options.map((option, at) => `${at + 1}. ${option}`),
      ...(task.name === null ? [] : [`About: ${line(task.title, LONGEST_TITLE)}`]),
      `Session: ${task.id}`,
      ...(question === undefined ? [] : [`Answer: holdfast answer ${task.id} <choice>`]),
    ]
      .filter((one) => one !== '')
      .join('\n'),
    options,
  }
}

/** Of what concerns no single task. */
export const wordsOf = (reason: string): Words => ({
  title: line(reason, LONGEST_TITLE),
  text: block(reason),
  options: [],
})

/** One line for several. */
export const titleOf = (titles: readonly string[]) =>
  titles.length === 1
    ? titles.join('')
    : `${titles.length} notices: ${line(titles.join(' · '), LONGEST_TITLE)}`

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
