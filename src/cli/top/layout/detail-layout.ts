// Owns the lines about the selected session, and about a question while it is answered.
import type { QuestionJson } from '../../../protocol/json/task-json.ts'
import { cells, shorten } from '../../render/print/cells.ts'
import { nextText } from '../../render/text/next-text.ts'
import type { Held } from '../model/board-model.ts'
import { drawable, EMPTY, fitted, type Line, line, linesOf, type Style, wrapped } from '../screen/lines.ts'
import { labelOf, type Now } from './row-text.ts'

/** Exactly `height` lines, the first of them a rule with the session's id. What is left out is said. */
export function detailLines(held: Held | undefined, height: number, width: number, now: Now): Line[] {
  if (height === 0) return []
  if (held === undefined) return filled([rule('', width)], height)
  const { row, detail } = held
  const room = height - 1
  const body = detail === null ? [line(' …', 'dim')] : aboutLines(held, room, width, now)
  return filled([rule(row.session_id, width), ...cutEnd(body, room)], height)
}

/** How many lines all of it would take. */
export const detailNeeds = (held: Held | undefined, width: number, now: Now): number =>
  held === undefined ? 1 : 1 + aboutLines(held, Number.POSITIVE_INFINITY, width, now).length

/** The question has what the other lines leave. */
function aboutLines({ row, detail, questions }: Held, room: number, width: number, now: Now): Line[] {
  if (detail === null) return []
  const who = [row.agent, detail.mode, detail.dir].filter(Boolean).join(' · ')
  const asked = questions[0]
  const title: Line = [{ text: ` ${oneLineOf(row.title)}` }, { text: `  ${who}`, style: 'dim' }]
  const rest = [
    ...(asked !== undefined || detail.reason === null ? [] : field('Why', detail.reason, width, 2)),
    ...field('Next', isAnswerable(asked) ? 'press a to answer' : nextText(detail, now.server), width, 3),
    ...(detail.kept_back === null ? [] : field('Kept', detail.kept_back.what, width, 1)),
  ]
  const shown =
    asked === undefined ? [] : askedWithin(asked, Math.max(1, room - 1 - rest.length), width, 'yellow')
  return [title, ...shown, ...rest]
}

const isAnswerable = (asked: QuestionJson | undefined) => asked !== undefined && asked.answer_way !== 'none'

/** The question as the agent asked it, line by line, and its options with their numbers. */
export const questionLines = (question: QuestionJson, width: number): Line[] => [
  ...wordsOf(question, width),
  ...optionsOf(question, width),
]

const wordsOf = ({ question }: QuestionJson, width: number, style?: Style): Line[] =>
  linesOf(question).flatMap((one) => wrapped(one, width - 2).map((text) => line(` ${text}`, style)))

const optionsOf = ({ options }: QuestionJson, width: number): Line[] =>
  options.flatMap((option, at) =>
    wrapped(`${at + 1}. ${linesOf(option).join(' ')}`, width - 4).map((text) => line(`   ${text}`)),
  )

/** Of a question that is too long, the middle is left out: how it begins and ends, and its options, are to be read. */
function askedWithin(question: QuestionJson, room: number, width: number, style?: Style): Line[] {
  const words = wordsOf(question, width, style)
  const options = cutEnd(optionsOf(question, width), Math.max(1, room - Math.min(LEAST_WORDS, words.length)))
  return [...cutMiddle(words, room - options.length), ...options]
}

/** Of the words of a question, however many options it has: its beginning, and that there is more. */
const LEAST_WORDS = 2

function cutMiddle(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines
  const kept = Math.max(0, room - 1)
  const [first, last] = [Math.ceil(kept / 2), Math.floor(kept / 2)]
  return [...lines.slice(0, first), leftOut(lines.length - kept), ...lines.slice(lines.length - last)]
}

function cutEnd(lines: readonly Line[], room: number): readonly Line[] {
  if (lines.length <= room) return lines
  const kept = Math.max(0, room - 1)
  return [...lines.slice(0, kept), leftOut(lines.length - kept)]
}

const leftOut = (count: number): Line => line(`   … ${count} more lines: w shows all`, 'dim')

/** While a question is answered, all of it is shown, as far as there is room. */
export function answerLines(
  held: Held | undefined,
  question: QuestionJson,
  height: number,
  width: number,
): Line[] {
  const title = held === undefined ? '' : labelOf(held.row)
  return filled(
    [rule(`${title} asks (question ${question.number})`, width), ...askedWithin(question, height - 2, width)],
    height,
  )
}

function field(name: string, text: string, width: number, most: number): Line[] {
  const lines = wrapped(oneLineOf(text), width - 8)
  const shown = lines.length > most ? [...lines.slice(0, most - 1), lines.slice(most - 1).join(' ')] : lines
  return shown.map((one, at) => [
    { text: at === 0 ? ` ${name}: `.padEnd(7) : ' '.repeat(7), style: 'dim' as const },
    { text: fitted(one, width - 7) },
  ])
}

const rule = (title: string, width: number): Line => {
  const text = title === '' ? '' : ` ${shorten(drawable(title), width - 6)} `
  const rest = Math.max(0, width - 2 - cells(text))
  return [
    { text: '──', style: 'dim' },
    { text, style: 'bold' },
    { text: '─'.repeat(rest), style: 'dim' },
  ]
}

const oneLineOf = (text: string) => linesOf(text).join(' ').replace(/\s+/g, ' ')

export const filled = (lines: readonly Line[], height: number): Line[] =>
  Array.from({ length: height }, (_, at) => lines[at] ?? EMPTY)
