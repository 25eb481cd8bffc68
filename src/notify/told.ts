// Owns what a channel is given to send: the notices of a delivery as they stand now, with their answer buttons.
import type { Notice } from '../domain/notify/notice.ts'
import type { Channel, Tickets, Told, ToldNotice } from '../ports/channel.ts'
import type { BoundDelivery } from '../ports/store/notices.ts'
import type { Desk } from '../supervisor/desk.ts'
import { line, titleOf } from './words.ts'

const MOST_BUTTONS = 8
const LONGEST_ANSWER = 60

export type TellingNeeds = {
  readonly desk: Pick<Desk, 'notices'>
  readonly tickets: Pick<Tickets, 'sign'>
}

export async function toldOf(
  { id, notices }: Pick<BoundDelivery, 'id' | 'notices'>,
  channel: Pick<Channel, 'canAnswer'>,
  needs: TellingNeeds,
): Promise<Told> {
  const told: ToldNotice[] = []
  for (const notice of notices) told.push(await toldNotice(notice, channel, needs))
  // Channels show only so many of them: what can be answered comes first.
  const ordered = [...told.filter(isOpen), ...told.filter((one) => !isOpen(one))]
  return { id, title: titleOf(ordered.map(({ title }) => title)), notices: ordered }
}

const isOpen = ({ question }: ToldNotice) => question !== null

async function toldNotice(
  notice: Notice,
  { canAnswer }: Pick<Channel, 'canAnswer'>,
  { desk, tickets }: TellingNeeds,
): Promise<ToldNotice> {
  const { id, kind, title, text, at, taskId, options } = notice
  const over = await whyOver(notice, desk)
  const isOpen = notice.question !== null && over === null
  const buttons = options
    .slice(0, MOST_BUTTONS)
    .map((label, option) => ({ label, ticket: tickets.sign(id, option) }))
  return {
    id,
    kind,
    sessionId: taskId,
    title: over === null ? title : `${title} (${over})`,
    text: over === null ? text : `${text}\n(${over})`,
    at,
    question: isOpen ? { number: notice.question, options } : null,
    buttons: isOpen && canAnswer ? buttons : [],
  }
}

/** Null while somebody can still answer, and for what is no question. */
export async function whyOver(
  { taskId, question: number, runId }: Pick<Notice, 'taskId' | 'question' | 'runId'>,
  { notices }: Pick<Desk, 'notices'>,
): Promise<string | null> {
  if (taskId === null || number === null) return null
  const question = await notices.question(taskId, number)
  if (question === undefined) return 'its session was removed'
  if (question.answer !== null)
    return `answered already by ${question.answeredBy}: ${line(question.answer, LONGEST_ANSWER)}`
  return question.settledAt !== null || question.runId !== runId ? 'the question is over' : null
}
