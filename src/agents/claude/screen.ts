// Owns what Claude Code's screen means. From top to bottom: what was said, what it does now, the box, its footer.
import { reading, type ScreenPhase, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'
import { short } from '../shared/json-line.ts'
import { shellPromptOn } from '../shared/shell-prompt.ts'
import { claudeDialogIn } from './dialog.ts'
import { claudeFailure } from './failure.ts'

const MOST_LINES = 400
const MOST_COLUMNS = 1000
const MOST_EVIDENCE = 200

const FAREWELL = /^(Resume this session with:|claude .*--resume [0-9a-f-]{36})/
const UNREACHABLE = /^ Unable to connect to Anthropic services/
/** A rule may have the session's name at its end. */
const RULE = /^─{8}.*─$/
/** `!` instead of `❯`: what is typed is a command for the shell. The space is a no-break space. */
const BOX = /^[❯!](\u00a0|$)/
const EMPTY_BOX = '? for shortcuts'
const PLACEHOLDER = /^(Press up to edit queued messages|Try ".*)$/
const BUSY_FOOTER = 'esc to interrupt'
/** The first line of a prompt, of an answer, or of what Claude Code does or did (`✻ Baked for 2s`). */
const BEGINS = /^[❯●✢✳✶✻✽*·] /
const BUSY = /^[✢✳✶✻✽*·] .*(…|Retrying in )/
const ANSWER = /^(● | {2}⎿\s+)/
const TROUBLE =
  /^(API Error|Invalid API key|Not logged in|Please run \/login|Failed to authenticate|OAuth|Credit balance|Prompt is too long|There.s an issue with|You.(ve|re) (hit|reached|out of)|.{0,40}limit reached)/
/** Shown below the line of a limit, which says more. */
const WAITS_FOR_LIMIT = /^● Usage limit reached · continuing/
const UNTIL = /\bresets? (?:at |in )?([^·]+)/
const BUSY_TITLE = /^[◐◑] /

export function readClaudeScreen(view: ScreenView): ScreenReading {
  const lines = linesOf(view.text)
  const box = boxIn(lines)
  const farewell = lines.findLastIndex((line) => FAREWELL.test(line))
  if (farewell > (box?.bottom ?? -1)) return seen('exited', lines[farewell])
  const shell = shellPromptOn(view)
  const unreachable = lines.find((line) => UNREACHABLE.test(line))
  if (shell) return unreachable === undefined ? shell : seen('exited', unreachable)
  // Searched also below a box: that may be left from the last frame before the dialog.
  const dialog = claudeDialogIn(lines.slice(box ? box.bottom + 1 : 0))
  if (dialog) return seen('asking', dialog.mark, { question: { text: dialog.text, options: dialog.options } })
  return box ? readBox(lines, box, view.title) : readWithoutBox(lines)
}

const seen = (phase: ScreenPhase, line = '', more: Partial<ScreenReading> = {}): ScreenReading => ({
  ...reading(phase, short(line.trim(), MOST_EVIDENCE)),
  ...more,
})

function linesOf(text: string): string[] {
  const lines = text
    .slice(-MOST_LINES * MOST_COLUMNS)
    .split('\n')
    .slice(-MOST_LINES)
    .map((line) => line.slice(0, MOST_COLUMNS).trimEnd())
  return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
}

function readWithoutBox(lines: readonly string[]): ScreenReading {
  if (lines.length === 0) return seen('starting', 'an empty screen')
  const trouble = lines.find((line) => UNREACHABLE.test(line))
  return trouble === undefined ? seen('unknown', 'no input box of Claude Code') : seen('error', trouble)
}

/** The rows of two rules, with the draft between them. */
type Box = { readonly top: number; readonly bottom: number }

function boxIn(lines: readonly string[]): Box | undefined {
  const bottom = lines.findLastIndex((line) => RULE.test(line))
  const top = lines.slice(0, Math.max(bottom, 0)).findLastIndex((line) => RULE.test(line))
  return top >= 0 && BOX.test(lines[top + 1] ?? '') ? { top, bottom } : undefined
}

function readBox(lines: readonly string[], box: Box, title = ''): ScreenReading {
  const footer = lines.slice(box.bottom + 1)
  // The footer is indented, the prompt of a shell is not. With one, Claude Code is gone and this is its last frame.
  const stranger = footer.find((line) => /^\S/.test(line))
  if (stranger !== undefined) return seen('unknown', `below the box: ${stranger}`)
  const draft = draftIn(lines.slice(box.top + 1, box.bottom), footer)
  const above = lines.slice(0, box.top)
  const now = above.findLast((line) => BEGINS.test(line)) ?? ''
  const busy = BUSY.test(now) ? now : footer.find((line) => line.includes(BUSY_FOOTER))
  if (busy !== undefined) return seen('working', busy, { draft })
  // A title is only a hint: when it contradicts the screen, the phase is unknown.
  if (BUSY_TITLE.test(title)) return seen('unknown', `at rest, but its title is: ${title}`, { draft })
  return readTrouble(lastAnswer(above), draft) ?? seen('idle', now || lines[box.top + 1], { draft })
}

function readTrouble(answer: string, draft: string | null): ScreenReading | undefined {
  if (!TROUBLE.test(answer)) return undefined
  if (claudeFailure(answer) !== 'limit') return seen('error', answer, { draft })
  const until = UNTIL.exec(answer)?.[1]?.trim() ?? null
  return seen('limit', answer, { draft, limit: { message: short(answer, MOST_COLUMNS), until } })
}

/** The answer to the last prompt on the screen, or without a prompt the last answer. Wrapped lines are joined. */
function lastAnswer(lines: readonly string[]): string {
  const turn = lines.slice(lines.findLastIndex((line) => line.startsWith('❯ ')) + 1)
  const [first = '', ...rest] = turn.slice(
    Math.max(
      turn.findLastIndex((line) => ANSWER.test(line) && !WAITS_FOR_LIMIT.test(line)),
      0,
    ),
  )
  const end = rest.findIndex((line) => !/^ {2,5}\S/.test(line))
  const wrapped = end < 0 ? rest : rest.slice(0, end)
  return [first.replace(ANSWER, ''), ...wrapped.map((line) => line.trim())].join(' ')
}

/** The mark of the shell mode is part of the draft: what follows it would be run by a shell. */
function draftIn([first = '', ...rest]: readonly string[], footer: readonly string[]): string | null {
  if (footer.some((line) => line.includes(EMPTY_BOX))) return null
  const rows = [first.replace(BOX, ''), ...rest.map((line) => line.replace(/^ {2}/, ''))]
  const text = (first.startsWith('!') ? '!' : '') + rows.join('\n')
  return text === '' || PLACEHOLDER.test(text) ? null : text
}
