// Owns the mode `--tui`: draws the conversation when it has changed, and restores the terminal at the end.
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Session } from '../playing/session-file.ts'
import type { Ending } from '../playing/stage.ts'
import { Conversation, type Phase } from './conversation.ts'
import { layOut } from './screen.ts'
import { openTerminal } from './terminal.ts'
import { troubleOf } from './trouble.ts'

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const SPIN_MS = 100
const SECOND_MS = 1000

export async function playInTerminal(session: Session, options: { statusClock: boolean }): Promise<Ending> {
  let close = () => {}
  await pause(troubleOf(process.env.SCRIPTED_AGENT_TROUBLE).slowStartMs)
  const ending = await new Promise<Ending>((ended, failed) => {
    close = openTui(session, options.statusClock, ended, failed)
  }).finally(() => close())
  if (ending.kind === 'left')
    process.stdout.write(`Resume with: holdfast-scripted-agent --tui --resume ${session.id}\n`)
  return ending
}

/** Returns the function that closes it. */
function openTui(
  session: Session,
  statusClock: boolean,
  ended: (ending: Ending) => void,
  failed: (error: unknown) => void,
): () => void {
  const title = `scripted agent ${session.id}`
  const trouble = troubleOf(process.env.SCRIPTED_AGENT_TROUBLE)
  const conversation = new Conversation(session, { changed: () => drawing.soon(0), ended, failed }, trouble)
  const terminal = openTerminal(title, {
    onKey: (key) => conversation.onKey(key),
    onPasteBegins: () => conversation.onPasteBegins(),
    onResize: () => drawing.soon(0),
    onGone: () => ended({ kind: 'exit', code: 1 }),
  })
  const drawing = new Drawing(() => {
    const { phase } = conversation
    const clock = statusClock ? clockOf(session) : undefined
    terminal.show(layOut({ ...conversation.view(), title, status: statusOf(phase), clock }, terminal.size()))
    if (trouble.repaintMs > 0) {
      terminal.forget()
      drawing.soon(trouble.repaintMs)
    } else if (phase.kind === 'working') drawing.soon(SPIN_MS)
    else if (statusClock && phase.kind !== 'frozen') drawing.soon(SECOND_MS - (Date.now() % SECOND_MS))
  })
  drawing.soon(0)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => ended({ kind: 'killed', signal }))
  return () => {
    drawing.stop()
    terminal.close()
  }
}

/** Draws once for several changes that come together. */
class Drawing {
  readonly #draw: () => void
  #timer: NodeJS.Timeout | undefined
  #stopped = false

  constructor(draw: () => void) {
    this.#draw = draw
  }

  soon(ms: number): void {
    clearTimeout(this.#timer)
    if (!this.#stopped) this.#timer = setTimeout(this.#draw, ms)
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }
}

function statusOf(phase: Phase): string {
  if (phase.kind === 'working' || phase.kind === 'frozen')
    return `${SPINNER[Math.floor(Date.now() / SPIN_MS) % SPINNER.length]} Working… esc to interrupt`
  if (phase.kind === 'asking') return `Asking: ${phase.question}`
  if (phase.kind === 'limit') return `Limit: ${phase.message}`
  return phase.interrupted ? 'Interrupted' : 'Idle'
}

/** `folder | ctx(N%) | HH:MM:SS`: the clock is proof of life; the context fills by one per prompt. */
function clockOf(session: Session): string {
  const time = new Date().toTimeString().slice(0, 8)
  return `${basename(process.cwd())} | ctx(${Math.min(99, session.heard.length)}%) | ${time}`
}
