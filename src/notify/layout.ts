// Owns what goes into one message: as much as its channel takes, the most urgent first. Each notice has at least a line that
// names its session; a question always has its text. Pure.
import { BY_URGENCY, lineOf, type NoticeKind } from '../domain/notify/notice.ts'
import { cutTo, sizeOf } from '../domain/text/sized-text.ts'
import type { Room } from '../ports/channel.ts'

/** What is to be laid out. */
export type Sheet = {
  readonly kind: NoticeKind
  readonly sessionId: string | null
  readonly title: string
  readonly text: string
  /** Somebody can still answer it. */
  readonly isAsking: boolean
  /** The labels of its buttons. */
  readonly labels: readonly string[]
}

/** A question that is over is told with what is least urgent. */
export const byUrgency = (one: Pick<Sheet, 'kind' | 'isAsking'>, other: Pick<Sheet, 'kind' | 'isAsking'>) =>
  urgencyOf(one) - urgencyOf(other)

const urgencyOf = ({ kind, isAsking }: Pick<Sheet, 'kind' | 'isAsking'>) =>
  kind === 'question' && !isAsking ? BY_URGENCY.length : BY_URGENCY.indexOf(kind)

/** How many of these, from the first, go into one message; at least one. */
export function countThatFits(sheets: readonly Sheet[], room: Room): number {
  let used = NOTHING
  for (const [place, sheet] of sheets.entries()) {
    used = plus(used, leastOf(sheet, room))
    if (place > 0 && !isWithin(used, room)) return place
  }
  return sheets.length
}

/** Which of these, as one message, are told in full: from the first, as far as each of the others has its line. */
export function inFull(sheets: readonly Sheet[], room: Room): readonly boolean[] {
  let used = sheets.map((sheet) => leastOf(sheet, room)).reduce(plus, NOTHING)
  return sheets.map((sheet) => {
    if (isWhole(sheet)) return true
    const more = plus(minus(used, briefly(sheet, room)), whole(sheet, room))
    if (!isWithin(more, room)) return false
    used = more
    return true
  })
}

/** The text of one notice, as far as there is room for it. The end stays: there are the options, and what can be done. */
export function fitted({ title, text }: Pick<Sheet, 'title' | 'text'>, room: Room): string {
  const { counting, each } = room
  const size = sizeOf[counting]
  const most = Math.min(each, room.size - room.perNotice) - size(title) - 1
  if (size(text) <= most) return text
  const ends = endOf(text)
  const left = most - size(ends)
  return left < SHORTEST_BEGINNING
    ? cutTo(text, most, counting)
    : `${cutTo(text.slice(0, -ends.length), left, counting)}${ends}`
}

/** A beginning shorter than this tells nothing, so the end is cut instead. */
const SHORTEST_BEGINNING = 100

/** From the first option, or the line of the session, or else of the time, on. Words that look like it stand before it. */
function endOf(text: string): string {
  const ofSession = text.lastIndexOf('\nSession: ')
  const session = ofSession === -1 ? text.lastIndexOf('\nWhen: ') : ofSession
  const options = [...text.slice(0, session === -1 ? undefined : session).matchAll(/\n1\. /g)].at(-1)?.index
  const from = options ?? session
  return from === -1 ? '' : text.slice(from)
}

type Used = {
  readonly size: number
  readonly notices: number
  readonly inFull: number
  readonly buttons: number
}
const NOTHING: Used = { size: 0, notices: 0, inFull: 0, buttons: 0 }

/** What is told in full, whatever else there is. */
const isWhole = ({ isAsking }: Sheet) => isAsking
const leastOf = (sheet: Sheet, room: Room) => (isWhole(sheet) ? whole(sheet, room) : briefly(sheet, room))

const briefly = (sheet: Sheet, { counting, perNotice }: Room): Used => ({
  size: sizeOf[counting](lineOf(sheet)) + perNotice,
  notices: 1,
  inFull: 0,
  buttons: 0,
})

function whole(sheet: Sheet, room: Room): Used {
  const { counting, perNotice, perButton } = room
  const size = sizeOf[counting]
  const words = size(sheet.title) + 1 + size(fitted(sheet, room)) + perNotice
  const buttons = sheet.labels.reduce((sum, label) => sum + size(label) + perButton, 0)
  return { size: words + buttons, notices: 1, inFull: 1, buttons: sheet.labels.length }
}

const plus = (one: Used, other: Used): Used => ({
  size: one.size + other.size,
  notices: one.notices + other.notices,
  inFull: one.inFull + other.inFull,
  buttons: one.buttons + other.buttons,
})
const minus = (one: Used, other: Used): Used => ({
  size: one.size - other.size,
  notices: one.notices - other.notices,
  inFull: one.inFull - other.inFull,
  buttons: one.buttons - other.buttons,
})
const isWithin = (used: Used, room: Room) =>
  used.size <= room.size &&
  used.notices <= room.notices &&
  used.inFull <= room.inFull &&
  used.buttons <= room.buttons
