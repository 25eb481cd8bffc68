// Owns the conversation with a person in the terminal: typed text, questions, queued prompts, and one turn at a time.

import { play, type Turn } from '../playing/play.ts'
import type { Session } from '../playing/session-file.ts'
import type { Ending, Stage } from '../playing/stage.ts'
import type { Key } from './keys.ts'
import type { View } from './screen.ts'
import { transcriptEntry } from './transcript.ts'
import { chipOf, type Trouble } from './trouble.ts'

const KEPT_ENTRIES = 1000
const HINT = 'enter sends · esc interrupts · ctrl-c twice exits'
const LEAVE_COMMAND = '/exit'
/** Longest time for which a dialog stays that nobody asked for. */
const MOST_POP_UP_MS = 1500
/** A moment between a paste and what is done about it: now before, now after the sender's Enter. */
const soon = () => Math.random() * 60
const LEAVE_HINT = 'Press Ctrl-C again to exit'

type Asking = {
  readonly kind: 'asking'
  readonly question: string
  readonly options: readonly string[]
  readonly chosen: number
  readonly answer: (text: string) => void
}
export type Phase =
  | { readonly kind: 'working' }
  | { readonly kind: 'frozen' }
  | { readonly kind: 'idle'; readonly interrupted: boolean }
  | { readonly kind: 'limit'; readonly message: string }
  | Asking

export type ConversationListener = {
  changed(): void
  /** The person left, or the script made the agent end. */
  ended(ending: Ending): void
  failed(error: unknown): void
}

export class Conversation {
  readonly #session: Session
  readonly #listener: ConversationListener
  readonly #transcript: string[]
  readonly #turns: Turn[] = []
  #phase: Phase = { kind: 'idle', interrupted: false }
  #interruption = new AbortController()
  #box = ''
  #leaving = false
  readonly #trouble: Trouble
  /** A dialog that is none of the script's. */
  #popUp: Asking | undefined
  #pastes = 0
  /** Its turn has begun, and it does not show it yet. */
  #looksIdle = false
  /** What is shown in the box instead of a long paste, and the paste. */
  #chip: { readonly shown: string; readonly text: string } | undefined

  constructor(session: Session, listener: ConversationListener, trouble: Trouble) {
    this.#session = session
    this.#listener = listener
    this.#trouble = trouble
    this.#transcript = session.heard.map((prompt) => `> ${prompt}`)
  }

  get phase(): Phase {
    return this.#popUp ?? (this.#looksIdle ? { kind: 'idle', interrupted: false } : this.#phase)
  }

  view(): Omit<View, 'title' | 'status' | 'clock'> {
    return {
      transcript: this.#transcript,
      queued: this.#looksIdle ? [] : this.#turns.map(({ prompt }) => prompt),
      box: this.#chip === undefined ? this.#box : this.#box.replace(this.#chip.text, this.#chip.shown),
      dialog: this.#dialog(),
      hint: this.#leaving ? LEAVE_HINT : HINT,
    }
  }

  onKey(key: Key): void {
    const leaving = this.#leaving
    this.#leaving = false
    const dialog = this.#dialog()
    if (key.key === 'interrupt') this.#interruptKey(leaving)
    else if (key.key === 'escape') this.#interruption.abort()
    else if (dialog) this.#choose(dialog, key)
    else this.#type(key)
    this.#listener.changed()
  }

  onPasteBegins(): void {
    if (Math.random() < this.#trouble.cutShare) process.kill(process.pid, 'SIGKILL')
  }

  #interruptKey(again: boolean): void {
    if (again) this.#listener.ended({ kind: 'left' })
    this.#leaving = this.#box === ''
    this.#box = ''
  }

  #choose(dialog: Asking, key: Key): void {
    const { options, chosen, answer } = dialog
    const last = options.length - 1
    const choose = (number: number) => this.#showDialog({ ...dialog, chosen: number })
    if (key.key === 'up') choose(Math.max(0, chosen - 1))
    if (key.key === 'down') choose(Math.min(last, chosen + 1))
    const number = key.key === 'text' ? Number(key.text) - 1 : -1
    if (options[number] !== undefined) choose(number)
    if (key.key === 'enter') answer(options[chosen] ?? '')
  }

  #showDialog(dialog: Asking): void {
    if (this.#popUp === undefined) this.#phase = dialog
    else this.#popUp = dialog
  }

  #type(key: Key): void {
    if (key.key === 'text' || key.key === 'paste') this.#box += key.text
    if (key.key === 'paste') this.#makeTrouble(key.text)
    if (key.key === 'newline') this.#box += '\n'
    if (key.key === 'backspace') this.#box = Array.from(this.#box).slice(0, -1).join('')
    if (key.key === 'clear') this.#box = ''
    if (key.key === 'enter' && this.#box.trim() !== '') this.#submit()
  }

  #makeTrouble(pasted: string): void {
    const { dialogShare, deathShare, chips } = this.#trouble
    const shown = chips ? chipOf(pasted, ++this.#pastes) : undefined
    if (shown !== undefined) this.#chip = { shown, text: pasted }
    if (Math.random() < dialogShare) setTimeout(() => this.#popUpFor(MOST_POP_UP_MS * Math.random()), soon())
    if (Math.random() < deathShare) setTimeout(() => process.kill(process.pid, 'SIGKILL'), soon())
  }

  /** Whoever answers it has typed into a dialog that was not there when they looked: its answer stands in the session file. */
  #popUpFor(ms: number): void {
    const close = () => {
      this.#popUp = undefined
      this.#listener.changed()
    }
    const answer = (text: string) => {
      this.#session.answeredPopUp(text)
      close()
    }
    this.#popUp = {
      kind: 'asking',
      question: 'Install the update?',
      options: ['Yes', 'No'],
      chosen: 0,
      answer,
    }
    this.#listener.changed()
    setTimeout(close, ms)
  }

  #submit(): void {
    const prompt = this.#box
    this.#box = ''
    this.#chip = undefined
    if (this.#session.lives <= this.#trouble.deafLives && this.#session.heard.length > 0) return
    if (prompt.trim() === LEAVE_COMMAND) this.#listener.ended({ kind: 'left' })
    else if (this.#phase.kind === 'asking') this.#phase.answer(prompt)
    else this.#hear(prompt).catch((error) => this.#listener.failed(error))
  }

  /** Records the prompt at once, also while another turn is running: what was submitted is never lost. */
  async #hear(prompt: string): Promise<void> {
    this.#session.hear(prompt)
    this.#turns.push({ prompt, end: this.#session.steps.length })
    if (this.#phase.kind !== 'working' && this.#phase.kind !== 'frozen') await this.#work()
  }

  async #work(): Promise<void> {
    let limit: string | undefined
    for (let turn = this.#turns.shift(); turn; turn = this.#turns.shift()) {
      this.#phase = { kind: 'working' }
      this.#lookIdleFor(this.#trouble.looksIdleMs)
      this.#addEntry(`> ${turn.prompt}`)
      limit = undefined
      const stage = this.#stage((message) => {
        limit = message
      })
      const ending = await play(turn, this.#session, stage)
      if (ending.kind !== 'result') return this.#listener.ended(ending)
    }
    const interrupted = this.#interruption.signal.aborted
    this.#phase = limit === undefined ? { kind: 'idle', interrupted } : { kind: 'limit', message: limit }
    this.#listener.changed()
  }

  #lookIdleFor(ms: number): void {
    if (ms === 0) return
    this.#looksIdle = true
    setTimeout(() => {
      this.#looksIdle = false
      this.#listener.changed()
    }, ms)
  }

  #stage(onLimit: (message: string) => void): Stage {
    this.#interruption = new AbortController()
    const { signal } = this.#interruption
    return {
      signal,
      emit: (event) => {
        if (event.type === 'limit') onLimit(event.message)
        this.#addEntry(transcriptEntry(event))
      },
      garbage: () => this.#addEntry('\x1b[31mthis is not for a screen\x07\uFFFD'),
      ask: (question, options) => this.#ask(question, options, signal),
      freeze: () => {
        this.#phase = { kind: 'frozen' }
        this.#listener.changed()
      },
    }
  }

  async #ask(question: string, options: readonly string[], signal: AbortSignal): Promise<string> {
    const known = this.#session.answerTo(question)
    if (known !== undefined) return known
    this.#addEntry(transcriptEntry({ type: 'ask', question, options }))
    const answer = await new Promise<string>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      this.#phase = { kind: 'asking', question, options, chosen: 0, answer: resolve }
      this.#listener.changed()
    })
    this.#phase = { kind: 'working' }
    this.#session.answered(answer)
    return answer
  }

  /** A question without options is answered in the box. */
  #dialog(): Asking | undefined {
    if (this.#popUp !== undefined) return this.#popUp
    return this.#phase.kind === 'asking' && this.#phase.options.length > 0 ? this.#phase : undefined
  }

  #addEntry(entry: string | undefined): void {
    if (entry === undefined) return
    this.#transcript.push(entry)
    if (this.#transcript.length > KEPT_ENTRIES) this.#transcript.shift()
    this.#listener.changed()
  }
}
