// Owns what Codex's screen means. From top to bottom: what was said, what it does now, the box, and a paragraph of footer.
import { reading, type ScreenPhase, type ScreenReading, type ScreenView } from '../../ports/run/screen.ts'
import { short } from '../shared/json-line.ts'
import { shellPromptOn } from '../shared/shell-prompt.ts'
import { type CodexDialog, codexDialogIn, isMenuAt } from './dialog.ts'
import { codexFailure } from './failure.ts'

const MOST_LINES = 400
const MOST_COLUMNS = 1000
const MOST_EVIDENCE = 200

const GOODBYE =
  /^(To (continue this session|reconnect), run:|Disconnected from this task\.|Session ID: [0-9a-f-]{36}$)/
const BANNER = /^ {2}>_ OpenAI Codex/
/** Shown in the place of the directory while Codex does not know its session yet. */
const LOADING = /^ {5}loading$/
const WORKING = /^[•◦] (.*\besc to interrupt\)|Messages to be submitted after)/
const STARTING = /^[•◦] (Starting|Booting) MCP/
const FINISHED = /^ {2}Worked for /
const INTERRUPTED = /^■ Conversation interrupted/
const UNTIL = /\btry again at (.+? [ap]m)\b/i
/** The session id, on the status line or in the last words of Codex. */
const SESSION =
  /(?:^ {2}| · |^ {2}codex resume |^Session ID: )([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?= · |$)/
const PLACEHOLDER = 'Ask Codex to do anything'
/** Shown in the footer while the box is empty. */
const EMPTY_BOX = '? for shortcuts'
const BUSY_TITLE = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /
const ASKING_TITLE = /^\[ . \] Action Required/

export function readCodexScreen(view: ScreenView): ScreenReading {
  const lines = linesOf(view.text)
  const dialog = codexDialogIn(lines)
  const box = dialog ? undefined : boxIn(lines)
  const goodbye = lines.findLastIndex((line) => GOODBYE.test(line))
  if (goodbye > (dialog?.at ?? box?.top ?? -1))
    return seen('exited', lines[goodbye], sessionIn(lines.slice(goodbye)))
  const shell = shellPromptOn(view)
  if (shell) return shell
  if (dialog) return asking(dialog)
  if (box) return readBox(lines, box, view)
  const banner = lines.find((line) => BANNER.test(line))
  const isAlone = lines.every((line) => line === '' || line.startsWith('  '))
  return banner !== undefined && isAlone ? seen('starting', banner) : reading('unknown', 'no mark of Codex')
}

const seen = (phase: ScreenPhase, line = '', more: Partial<ScreenReading> = {}): ScreenReading => ({
  ...reading(phase, short(line.trim(), MOST_EVIDENCE)),
  ...more,
})

const asking = ({ text, options }: CodexDialog) =>
  seen('asking', text.split('\n', 1)[0], { question: { text, options } })

function linesOf(text: string): string[] {
  const lines = text
    .slice(-MOST_LINES * MOST_COLUMNS)
    .split('\n')
    .slice(-MOST_LINES)
  const trimmed = lines.map((line) => line.slice(0, MOST_COLUMNS).trimEnd())
  return trimmed.slice(0, trimmed.findLastIndex((line) => line !== '') + 1)
}

/** The rows of the box. It begins with `›`, or with `!` for a shell command. */
type Box = { readonly top: number; readonly bottom: number }

function boxIn(lines: readonly string[]): Box | undefined {
  const top = lines.findLastIndex((line) => /^[›!]( |$)/.test(line))
  const bottom = lines.lastIndexOf('') - 1
  const isWhole = lines.slice(top + 1).every((line) => line === '' || line.startsWith('  '))
  return top >= 0 && bottom >= top && isWhole ? { top, bottom } : undefined
}

function readBox(lines: readonly string[], box: Box, view: ScreenView): ScreenReading {
  // A menu with an unknown footer, or a draft that looks like a menu.
  if (isMenuAt(lines, box.top)) return seen('unknown', lines[box.top])
  const above = lines.slice(0, box.top)
  const footer = lines.slice(box.bottom + 1)
  const draft = draftIn(lines, box, view)
  return withTitle(
    { ...readAbove(above), said: above, draft, ...sessionIn(footer) },
    view.title ?? '',
    footer,
  )
}

/** `unknown` while an answer is being written: only the last line of the turn, which is missing then, would show its end. */
function readAbove(lines: readonly string[]): ScreenReading {
  for (const paragraph of paragraphsUpwards(lines)) {
    const [first = ''] = paragraph
    if (STARTING.test(first)) return seen('starting', first)
    if (WORKING.test(first)) return seen('working', first)
    if (INTERRUPTED.test(first)) return { ...seen('idle', first), interrupted: true }
    if (FINISHED.test(first)) return seen('idle', first)
    // A list of commands may follow below the error, above the box.
    if (first.startsWith('■ ')) return readError(paragraph.join(' ').slice(2).split(' › ', 1)[0])
    if (/^\S/.test(first)) return { ...seen('unknown', first), ...stoppedIn(lines) }
    const banner = paragraph.find((line) => BANNER.test(line))
    if (banner !== undefined)
      return seen(paragraph.some((line) => LOADING.test(line)) ? 'starting' : 'idle', banner)
  }
  return seen('unknown', 'a box and nothing that was said')
}

/** What a built-in command of Codex printed below the interruption is no turn. */
function stoppedIn(lines: readonly string[]): Pick<ScreenReading, 'interrupted'> {
  const stopped = lines.findLastIndex((line) => INTERRUPTED.test(line))
  return stopped > lines.findLastIndex((line) => line.startsWith('› ')) ? { interrupted: true } : {}
}

/** A title is a hint: it decides when the text says nothing, and makes the phase unknown when it contradicts the text. */
function withTitle(read: ScreenReading, title: string, footer: readonly string[]): ScreenReading {
  const evidence = short(`title: ${title}`, MOST_EVIDENCE)
  const isBusy = BUSY_TITLE.test(title)
  // At rest, the title is the name of the directory. Any other title may come from the terminal and says nothing.
  const isAtRest = title !== '' && footer.some((line) => `${line} `.includes(`/${title} `))
  if (read.phase === 'unknown' && isBusy) return { ...read, phase: 'working', evidence }
  if (read.phase === 'unknown' && isAtRest) return { ...read, phase: 'idle', evidence }
  if (read.phase === 'idle' && (isBusy || ASKING_TITLE.test(title)))
    return { ...read, phase: 'unknown', evidence }
  return read
}

function readError(message = ''): ScreenReading {
  if (codexFailure(message) !== 'limit') return seen('error', message)
  const until = UNTIL.exec(message)?.[1] ?? null
  return seen('limit', message, { limit: { message: short(message, MOST_COLUMNS), until } })
}

/** Searched only in lines that Codex itself writes: what was said or typed may name any session. */
function sessionIn(lines: readonly string[]): Pick<ScreenReading, 'session'> {
  const [session] = lines.flatMap((line) => SESSION.exec(line)?.[1] ?? [])
  return session === undefined ? {} : { session }
}

function* paragraphsUpwards(lines: readonly string[]): Generator<readonly string[]> {
  let end = lines.length
  while (end > 0) {
    const start = lines.lastIndexOf('', end - 1) + 1
    if (start < end) yield lines.slice(start, end)
    end = start - 1
  }
}

function draftIn(lines: readonly string[], { top, bottom }: Box, { cursor }: ScreenView): string | null {
  if (lines.slice(bottom + 1).some((line) => line.includes(EMPTY_BOX))) return null
  const rows = lines.slice(top, bottom + 1).map((line) => line.replace(/^(› ?| {2})/, ''))
  const text = rows.join('\n').trimEnd()
  const isTyped = cursor !== undefined && cursor.y === top && cursor.x > 2
  return text === '' || (text === PLACEHOLDER && !isTyped) ? null : text
}
