// Owns what a channel is given to send: the notices of a delivery as they stand now, with their answer buttons.
import type { Notice } from '../domain/notify/notice.ts'
import type { Channel, ChannelMessage, NoticeToSend, Tickets } from '../ports/channel.ts'
import type { BoundDelivery } from '../ports/store/notices.ts'
import type { Desk } from '../supervisor/desk.ts'
import { byUrgency, countThatFits, fitted, inFull, type Sheet } from './layout.ts'
import { line, titleOf } from './words.ts'

const MOST_BUTTONS = 8
const LONGEST_ANSWER = 60

export type TellingNeeds = {
  readonly desk: Pick<Desk, 'notices'>
  readonly tickets: Pick<Tickets, 'sign'>
}

export async function composeMessage(
  { id, notices }: Pick<BoundDelivery, 'id' | 'notices'>,
  channel: Pick<Channel, 'canAnswer' | 'room'>,
  needs: TellingNeeds,
): Promise<ChannelMessage> {
  const { room } = channel
  const toSend: NoticeToSend[] = []
  for (const notice of notices) toSend.push(await noticeToSend(notice, channel, needs))
  const ordered = toSend
    .map((notice) => ({ notice, sheet: sheetToSend(notice) }))
    .sort((one, other) => byUrgency(one.sheet, other.sheet))
  const isInFull = inFull(
    ordered.map(({ sheet }) => sheet),
    room,
  )
  return {
    id,
    title: titleOf(ordered.map(({ notice }) => notice)),
    notices: ordered.map(({ notice, sheet }, place) => ({
      ...notice,
      text: fitted(sheet, room),
      isBrief: isInFull[place] !== true,
    })),
  }
}

/** The notices of a delivery, divided so that each part fits into one message. One part when all of them fit into one. */
export function partsOf(
  notices: readonly Notice[],
  channel: Pick<Channel, 'canAnswer' | 'room'>,
): readonly (readonly Notice[])[] {
  const parts: Notice[][] = []
  let left = [...notices].sort((one, other) => byUrgency(sheetOf(one, channel), sheetOf(other, channel)))
  while (left.length > 0) {
    const sheets = left.map((notice) => sheetOf(notice, channel))
    const count = countThatFits(sheets, channel.room)
    parts.push(left.slice(0, count))
    left = left.slice(count)
  }
  return parts
}

/** The most that a notice can take up in a message. A question that is over by then takes less: it has no buttons. */
const sheetOf = (notice: Notice, { canAnswer }: Pick<Channel, 'canAnswer'>): Sheet => ({
  kind: notice.kind,
  sessionId: notice.taskId,
  title: notice.title,
  text: notice.text,
  isAsking: notice.question !== null,
  labels: canAnswer ? notice.options.slice(0, MOST_BUTTONS) : [],
})

const sheetToSend = ({ question, buttons, ...notice }: NoticeToSend): Sheet => ({
  ...notice,
  isAsking: question !== null,
  labels: buttons.map(({ label }) => label),
})

async function noticeToSend(
  notice: Notice,
  { canAnswer }: Pick<Channel, 'canAnswer'>,
  { desk, tickets }: TellingNeeds,
): Promise<NoticeToSend> {
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
    text,
    at,
    question: isOpen ? { number: notice.question, options } : null,
    buttons: isOpen && canAnswer ? buttons : [],
    isBrief: false,
  }
}

/** Why a question cannot be answered any more. Null while it can be, and for a notice that is no question. */
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
