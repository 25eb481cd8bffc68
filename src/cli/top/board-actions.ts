// Owns doing what a key asks for: it takes a while, and its outcome is told in the last line.
import { isHoldfastError } from '../../domain/errors.ts'
import { isEnded } from '../../domain/task/machine.ts'
import type { DaemonClient } from '../wire/client.ts'
import { type BoardRequests, badNews, good, plain, toAnswer } from './board-requests.ts'
import type { JournalEvent } from './feed/feed.ts'
import { LogTail } from './feed/log-tail.ts'
import { EMPTY_LINE } from './input/edit-line.ts'
import type { BoardAction } from './input/press.ts'
import type { BoardState, Note, Prompt } from './input/state.ts'
import type { BoardModel } from './model/board-model.ts'
import { nestingOf } from './nested.ts'
import type { PageSources } from './page-text.ts'
import type { BoardTerminal } from './terminal.ts'

export type BoardActionNeeds = {
  readonly requests: BoardRequests
  readonly daemon: () => DaemonClient
  readonly env: Readonly<Record<string, string | undefined>>
  readonly model: Pick<BoardModel, 'get' | 'ask' | 'takeQuestions'>
  readonly attach: (id: string) => Promise<unknown>
  readonly terminal: Pick<BoardTerminal, 'enter' | 'leave' | 'suspend'>
  readonly wantOne: (id: string) => void
  readonly change: (change: (state: BoardState) => BoardState) => void
  readonly redraw: () => void
}

const OVER = plain('This question is over: it was answered, or the session went on. Esc leaves it.')
/** Somebody else answered, or the session went on by itself. */
const NOTHING_TO_ANSWER = ['NOT_ASKING', 'ALREADY_ANSWERED', 'TASK_NOT_ACTIVE'] as const

export class BoardActions {
  readonly #needs: BoardActionNeeds
  #tail: LogTail | null = null
  #why: { readonly id: string; readonly lines: readonly string[] | null } | null = null
  /** An answer that is on its way to the daemon. */
  #answering: string | null = null
  /** An answer that the agent has not taken yet. */
  #answered: { readonly id: string; readonly number: number } | null = null
  /** The key of a prompt that is on its way to the daemon. */
  #sending: string | null = null
  /** A prompt that the agent does not have yet. */
  #sent: { readonly trigger: string } | null = null

  constructor(needs: BoardActionNeeds) {
    this.#needs = needs
  }

  get sources(): PageSources {
    return { tail: this.#tail, why: this.#why?.lines ?? null }
  }

  start(action: Exclude<BoardAction, { do: 'quit' }>): void {
    const id = 'id' in action ? action.id : ''
    this.#do(action).catch((error) => this.#note(badNews(error, id)))
  }

  /** The way of a prompt that was sent is followed by its events; a page about a session is asked for anew. */
  hear({ kind, task, data }: JournalEvent): void {
    if (kind.startsWith('trigger_') && data.trigger_id === this.#sent?.trigger)
      void this.#followSent(String(data.trigger_id)).catch(() => {})
    if (task !== null && task === this.#why?.id) void this.#readWhy(task).catch(() => {})
  }

  /** Tells that the dialog closed, when it did so some time after the answer; also when it was not answered here. */
  checkAnswer(): void {
    this.#checkPrompt()
    const waiting = this.#answered
    const detail = waiting === null ? null : this.#needs.model.get(waiting.id)?.detail
    if (!waiting || !detail || detail.questions.some(({ number }) => number === waiting.number)) return
    this.#answered = null
    this.#note(good(`The dialog closed: ${waiting.id} has taken the answer.`))
  }

  stop(): void {
    this.#tail?.stop()
  }

  /** The line stays open: what is being typed into it would else be commands. */
  #checkPrompt(): void {
    this.#needs.change((state) => {
      if (state.prompt?.kind !== 'answer' || state.note === OVER) return state
      const { id, question } = state.prompt
      if (this.#answering === id) return state
      const isOpen = this.#needs.model.get(id)?.questions.some(({ number }) => number === question.number)
      return isOpen === false ? { ...state, note: OVER } : state
    })
  }

  async #do(action: Exclude<BoardAction, { do: 'quit' }>): Promise<void> {
    const { requests, terminal, redraw, wantOne } = this.#needs
    switch (action.do) {
      case 'suspend':
        return terminal.suspend()
      case 'redraw':
        return redraw()
      case 'close_page':
        return this.#closePage()
      case 'attach':
        return await this.#attach(action.id)
      case 'begin_answer':
        return await this.#beginAnswer(action.id)
      case 'begin_send':
        return await this.#beginSend(action.id)
      case 'logs':
        return await this.#openLogs(action.id)
      case 'why':
        this.#why = { id: action.id, lines: null }
        return await this.#readWhy(action.id)
      case 'answer':
        return await this.#answer(action)
      case 'send':
        return await this.#send(action)
      case 'kill':
      case 'retry':
        this.#note(plain(action.do === 'kill' ? `Killing ${action.id} …` : `Starting ${action.id} again …`))
        this.#note(await requests[action.do](action.id))
        return wantOne(action.id)
    }
  }

  /** The key is loaded only when needed: most boards send nothing. */
  async #beginSend(id: string): Promise<void> {
    const row = this.#needs.model.get(id)?.row
    // A runtime that was stopped says itself how it is started.
    if (row !== undefined && row.runtime === null && isEnded(row.task_status))
      return this.#note(
        plain(`${id} has ended (${row.status}): it hears nothing any more. Press r to start it again.`),
      )
    const { systemIds } = await import('../../system/ids.ts')
    this.#prompt({ kind: 'send', id, line: EMPTY_LINE, key: systemIds.random() })
  }

  async #beginAnswer(id: string): Promise<void> {
    const { requests, model } = this.#needs
    const asked = model.ask()
    const open = await requests.questions()
    model.takeQuestions(asked, open)
    const found = toAnswer(id, open)
    if ('tone' in found) return this.#note(found)
    this.#prompt({ kind: 'answer', id, question: found, line: EMPTY_LINE })
  }

  async #answer({ id, number, choice }: Extract<BoardAction, { do: 'answer' }>): Promise<void> {
    // Enter was pressed twice: the daemon would say of the second that the first has answered.
    if (this.#answering === id) return
    this.#answering = id
    this.#note(plain(`Giving the answer to ${id} …`))
    const answered = this.#needs.requests.answer(id, number, choice).finally(() => {
      this.#answering = null
    })
    const { note, isOver } = await answered.catch((error) => {
      if (isHoldfastError(error, ...NOTHING_TO_ANSWER)) this.#closePrompt('answer', id)
      throw error
    })
    this.#answered = isOver ? null : { id, number }
    this.#closePrompt('answer', id)
    this.#note(note)
    this.#needs.wantOne(id)
  }

  async #send({ id, text, key }: Extract<BoardAction, { do: 'send' }>): Promise<void> {
    // Enter was pressed twice. An agent at work may take it seconds later, and until then the line is open.
    if (this.#sending === key) return
    this.#sending = key
    this.#note(plain(`Giving the prompt to ${id} …`))
    const { note, trigger } = await this.#needs.requests.send(id, text, key).finally(() => {
      this.#sending = null
    })
    this.#sent = trigger === null ? null : { trigger }
    this.#closePrompt('send', id)
    this.#note(note)
    // It may have arrived before its events were listened to.
    if (trigger !== null) await this.#followSent(trigger)
  }

  async #followSent(trigger: string): Promise<void> {
    const { note, isOver } = await this.#needs.requests.trigger(trigger)
    if (this.#sent?.trigger !== trigger) return
    if (isOver) this.#sent = null
    this.#note(note)
  }

  async #readWhy(id: string): Promise<void> {
    const lines = await this.#needs.requests.why(id)
    if (this.#why?.id !== id) return
    this.#why = { id, lines }
    this.#needs.change((state) => state)
  }

  async #openLogs(id: string): Promise<void> {
    this.#tail?.stop()
    const tail = new LogTail()
    this.#tail = tail
    await tail.follow(id, this.#needs.daemon, () => this.#needs.change((state) => state))
  }

  #closePage(): void {
    this.#tail?.stop()
    this.#tail = null
    this.#why = null
  }

  async #attach(id: string): Promise<void> {
    const { requests, daemon, env, terminal, redraw, wantOne } = this.#needs
    const { tmux_active, tmux_session, completed_at } = await requests.task(id)
    const { tmux_socket, tmux_outage } = await daemon().call('GET /api/health')
    // Of terminals nothing is known then, and an attach would wait for tmux with the board gone.
    if (completed_at === null && tmux_outage !== null)
      return this.#note(plain(`tmux: ${tmux_outage.why} Press l to read what ${id} wrote.`))
    if (completed_at !== null || !tmux_active)
      return this.#note(plain(`${id} has no terminal now. Press l to read what it wrote.`))
    const nesting = nestingOf(env, tmux_socket)
    if (nesting === 'own_server')
      return this.#note(
        plain(`This is Holdfast's own tmux. Leave with q, then: tmux switch-client -t ${tmux_session}`),
      )
    if (nesting === 'pane' && this.#allowedNested !== id) {
      if (this.#prompt({ kind: 'nested_attach', id })) this.#allowedNested = id
      return
    }
    this.#allowedNested = null
    terminal.leave()
    try {
      await this.#needs.attach(id)
    } finally {
      terminal.enter()
      redraw()
      wantOne(id)
    }
  }
  /** The session for which the person was told how to detach inside another tmux. */
  #allowedNested: string | null = null

  /** False when the person has gone on meanwhile: under a page the line would take keys, and nobody would see it. */
  #prompt(prompt: Prompt): boolean {
    let isShown = false
    this.#needs.change((state) => {
      isShown = state.prompt === null && state.page === null
      return isShown ? { ...state, prompt, note: null } : state
    })
    return isShown
  }

  /** Only the line that was sent is closed: the person may have gone on. */
  #closePrompt(kind: 'answer' | 'send', id: string): void {
    this.#needs.change((state) =>
      state.prompt?.kind === kind && state.prompt.id === id ? { ...state, prompt: null } : state,
    )
  }

  #note(note: Note): void {
    this.#needs.change((state) => ({ ...state, note }))
  }
}
