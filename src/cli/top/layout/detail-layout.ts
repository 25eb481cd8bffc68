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
  const body = detail === null ? [line(' …', 'dim')] : aboutLines(held, width, now)
  return filled([rule(row.session_id, width), ...cutTo(body, height - 1, 'w shows all')], height)
}

/** How many lines all of it would take. */
export const detailNeeds = (held: Held | undefined, width: number, now: Now): number =>
  held === undefined ? 1 : 1 + aboutLines(held, width, now).length

const cutTo = (body: readonly Line[], room: number, how: string): Line[] =>
  body.length <= room
    ? [...body]
    : [...body.slice(0, room - 1), line(`   … ${body.length - room + 1} more lines: ${how}`, 'dim')]

function aboutLines({ row, detail, questions }: Held, width: number, now: Now): Line[] {
  if (detail === null) return []
  const who = [row.agent, detail.mode, detail.dir].filter(Boolean).join(' · ')
  const asked = questions[0]
  return [
    [{ text: ` ${oneLineOf(row.title)}` }, { text: `  ${who}`, style: 'dim' }],
    ...(asked === undefined ? [] : questionLines(asked, width, 'yellow')),
    ...(asked !== undefined || detail.reason === null ? [] : field('Why', detail.reason, width, 2)),
    ...field('Next', isAnswerable(asked) ? 'press a to answer' : nextText(detail, now.server), width, 2),
    ...(detail.kept_back === null ? [] : field('Kept', detail.kept_back.what, width, 1)),
  ]
}

const isAnswerable = (asked: QuestionJson | undefined) => asked !== undefined && asked.answer_way !== 'none'

/** The question as the agent asked it, line by line, and its options with their numbers. */
export const questionLines = ({ question, options }: QuestionJson, width: number, style?: Style): Line[] => [
  ...linesOf(question).flatMap((one) => wrapped(one, width - 2).map((text) => line(` ${text}`, style))),
  ...options.flatMap((option, at) =>
    wrapped(`${at + 1}. ${linesOf(option).join(' ')}`, width - 4).map((text) => line(`   ${text}`)),
  ),
]

/** While a question is answered, all of it is shown, as far as there is room; what is left out is said. */
export function answerLines(
  held: Held | undefined,
  question: QuestionJson,
  height: number,
  width: number,
): Line[] {
  const title = held === undefined ? '' : labelOf(held.row)
  const body = questionLines(question, width)
  const shown = cutTo(body, height - 2, 'Esc, then w shows all')
  return filled([rule(`${title} asks (question ${question.number})`, width), ...shown], height)
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
