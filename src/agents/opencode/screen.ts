// Owns what OpenCode's screen means. Below the conversation there is either the box to type in or, in its place, a dialog.
import { reading, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'
import { lastLine } from '../shared/last-line.ts'
import { shellPromptOn } from '../shared/shell-prompt.ts'
import { readOpencodeDialog } from './dialog.ts'
import { classOfWords } from './failure.ts'

/** A line with a bar at its left. Not `┃ /exit … ┃`, a line of the list that pops up over the conversation. */
const BAR = /^\s*┃(?! \S.*┃$)/
const BOX_BOTTOM = /^\s*╹▀{20}/
/** The footer has up to this many lines on a narrow screen; tips may follow below. */
const FOOTER_LINES = 3
const BUSY = /[■⬝]{8}|\[⋯\]|\besc (?:again to )?interrupt\b/
const RETRYING = /^[■⬝⋯[\]\s]*([^■⬝⋯[\]\s].*?) \[retrying (?:(in [^\]]{1,100}) )?attempt #\d+\]/
const LIMIT = /usage limit|limit reached|usage exceeded|quota/i
/** The last line of a turn: with its duration or `interrupted` when it ended, bare while it works or when it failed. */
const BARE_TURN = /^\s*▣ {2}[^·]+ · [^·]+$/
/** In this mode, Enter runs the text in a shell. */
const SHELL_MODE = /esc exit shell mode/
/** A menu's title, with the key that closes it at the right. */
const MENU = /\S {3,}esc$/
const GOODBYE = /^\s*Continue {2}opencode -s ses_/
const PLACEHOLDER = /^Ask anything… "/

export function readOpencodeScreen(view: ScreenView): ScreenReading {
  const lines = withoutSidebar(view.text.split('\n').map((line) => line.trimEnd()))
  const last = lastLine(lines, (line) => line !== '')
  if (last === undefined) return reading('starting', 'nothing on the screen yet')
  const goodbye = lastLine(lines, (line) => GOODBYE.test(line))
  const bottom = lines.findLastIndex((line) => BOX_BOTTOM.test(line))
  const bar = lines.findLastIndex((line) => BAR.test(line))
  if (goodbye !== undefined && goodbye.row > Math.max(bottom, bar))
    return reading('exited', goodbye.line.trim())
  const shell = shellPromptOn(view)
  if (shell) return shell
  // OpenCode leaves the first column empty.
  const stranger = lines.find((line) => /^\S/.test(line))
  if (stranger !== undefined) return reading('unknown', `not OpenCode's: ${stranger.slice(0, 100)}`)
  if (BAR.test(last.line)) return readOpencodeDialog(barBlock(lines, last.row))
  if (bottom < 0) return reading('unknown', 'no known marker')
  return readBox(lines, bottom, view)
}

function readBox(lines: readonly string[], bottom: number, { cursor }: ScreenView): ScreenReading {
  const box = barBlock(lines, bottom - 1)
  const top = bottom - box.length
  const draft = draftIn(box)
  const footer = oneLine(lines.slice(bottom + 1, bottom + 1 + FOOTER_LINES))
  if (BUSY.test(footer)) return { ...readBusy(footer), draft }
  if (SHELL_MODE.test(footer)) return reading('unknown', footer, { draft })
  const isInBox = cursor !== undefined && cursor.y >= top && cursor.y < bottom
  const menu = isInBox ? undefined : lines.find((line) => MENU.test(line))
  if (menu !== undefined) return reading('unknown', `a menu is open: ${oneLine([menu])}`, { draft })
  return { ...readTurn(lines.slice(0, top)), draft }
}

function readBusy(footer: string): ScreenReading {
  const [, message = '', wait = null] = RETRYING.exec(footer) ?? []
  if (LIMIT.test(message)) return reading('limit', footer, { limit: { message, until: wait } })
  return reading('working', footer)
}

/** How the last turn ended. A failure has bars like a prompt: only its place or its words distinguish them. */
function readTurn(conversation: readonly string[]): ScreenReading {
  const ended = lastLine(conversation, (line) => line !== '')
  if (ended === undefined || !BARE_TURN.test(ended.line)) return reading('idle', 'the box is ready')
  const above = conversation.slice(0, ended.row).findLastIndex((line) => line !== '')
  const block = barBlock(conversation, above)
  const message = textIn(block)
  const before =
    conversation.slice(0, Math.max(0, above - block.length)).findLast((line) => line !== '') ?? ''
  const isFailure =
    message !== '' && !/^[$#]/.test(message) && (BAR.test(before) || classOfWords(message) !== 'crash')
  if (!isFailure) return reading('idle', 'the box is ready')
  if (LIMIT.test(message)) return reading('limit', message, { limit: { message, until: null } })
  return reading('error', message)
}

/** The last lines of the box are an empty one and the agent's name. */
function draftIn(box: readonly string[]): string | null {
  const text = textIn(box.slice(0, -1))
  return text === '' || PLACEHOLDER.test(text) ? null : text
}

const oneLine = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ').trim()

const textIn = (block: readonly string[]) =>
  block
    .map((line) => line.replace(/^\s*┃ {0,2}/, ''))
    .join('\n')
    .trim()

/** The lines with a bar that end at `end`. */
function barBlock(lines: readonly string[], end: number): readonly string[] {
  const above = lines.slice(0, end + 1).findLastIndex((line) => !BAR.test(line))
  return lines.slice(above + 1, end + 1)
}

/** A wide screen has a sidebar at the right, with the version in its last line. */
function withoutSidebar(lines: readonly string[]): readonly string[] {
  const at = lines.findLast((line) => / {3}• OpenCode \d/.test(line))?.lastIndexOf('• OpenCode') ?? -1
  return at < 0 ? lines : lines.map((line) => line.slice(0, at).trimEnd())
}
