// Owns which lines are written for the server's events: whole parts instead of growing ones, questions, each prompt when it is
// heard, and one end per turn. Events that we pass on are written as they are.
import { asFields, type Fields, isText } from '../../shared/json-line.ts'
import type { WriteLine } from './lines-out.ts'

type Prompt = { readonly ref: string; readonly text: string }
type Turn = { finish: unknown; error: unknown }

export class EventLines {
  readonly #write: WriteLine
  #session = ''
  /** Our session and those of its subagents. */
  readonly #sessions = new Set<unknown>()
  readonly #userMessages = new Set<unknown>()
  /** The ids of tools that began and of prompts that were heard: each is written once. */
  readonly #written = new Set<unknown>()
  readonly #questions = new Map<unknown, number>()
  /** Prompts that were said, but not heard yet. */
  #expected: Prompt[] = []
  #turn: Turn | null = null
  readonly #waitingForIdle: (() => void)[] = []

  constructor(write: WriteLine) {
    this.#write = write
  }

  get session(): string {
    return this.#session
  }

  get isBusy(): boolean {
    return this.#turn !== null || this.#expected.length > 0
  }

  /** Resolves when every prompt was heard, and the end of every turn was written. */
  untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waitingForIdle.push(resolve)
      this.#wakeIfIdle()
    })
  }

  own(session: string): void {
    this.#session = session
    this.#sessions.add(session)
  }

  expect(prompt: Prompt): void {
    this.#expected.push(prompt)
  }

  /** The prompt will never be heard. */
  refusePrompt(message: string): void {
    this.#expected.shift()
    this.#end({ finish: undefined, error: { name: 'Refused', data: { message } } })
  }

  questionsIn(request: string): number {
    return this.#questions.get(request) ?? 1
  }

  /** The id of a permission that one of our sessions asks for. */
  permissionAsked({ type, properties }: Fields): string | undefined {
    const { id, sessionID } = asFields(properties)
    const isOurs = type === 'permission.asked' && this.#sessions.has(sessionID)
    return isOurs && isText(id) ? id : undefined
  }

  take(event: Fields): void {
    const properties = asFields(event.properties)
    if (event.type === 'session.created') this.#addSubagent(asFields(properties.info))
    else if (!this.#sessions.has(properties.sessionID)) return
    else if (event.type === 'question.asked') this.#asked(event, properties)
    else if (/^(?:permission|question)\./.test(String(event.type))) this.#write(event)
    else if (event.type === 'message.part.updated') this.#part(event, asFields(properties.part))
    else if (properties.sessionID === this.#session) this.#state(event, properties)
  }

  #addSubagent({ id, parentID }: Fields): void {
    if (this.#sessions.has(parentID)) this.#sessions.add(id)
  }

  /** Writes one line per question. */
  #asked(event: Fields, properties: Fields): void {
    const questions = Array.isArray(properties.questions) ? properties.questions : []
    this.#questions.set(properties.id, questions.length)
    for (const [number, question] of questions.entries())
      this.#write({ ...event, properties: { ...properties, questions: [question], number } })
  }

  #part(event: Fields, part: Fields): void {
    if (part.type === 'step-finish') this.#step(event, part)
    // The work of a subagent is part of the tool that started it.
    else if (part.sessionID !== this.#session) return
    else if (part.type === 'tool') this.#tool(event, part)
    else if (part.type !== 'text' || part.synthetic === true) return
    else if (this.#userMessages.has(part.messageID)) this.#heard(part)
    else if (asFields(part.time).end !== undefined) this.#write(event)
  }

  /** A finished step clears an earlier error: OpenCode recovered from it. */
  #step(event: Fields, { sessionID, reason }: Fields): void {
    this.#write(event)
    if (this.#turn !== null && sessionID === this.#session) this.#turn = { finish: reason, error: undefined }
  }

  /** A tool is written twice: when it begins, and when it has ended. */
  #tool(event: Fields, { callID, state }: Fields): void {
    const { status } = asFields(state)
    if (status === 'pending' || (status === 'running' && !this.#isNew(callID))) return
    this.#write(event)
  }

  #heard({ id, text }: Fields): void {
    if (!this.#isNew(id)) return
    const ours = this.#expected.find((prompt) => prompt.text === text)
    this.#expected = this.#expected.filter((prompt) => prompt !== ours)
    this.#turn ??= { finish: undefined, error: undefined }
    this.#write(
      ours === undefined
        ? { type: 'holdfast.heard', ref: null, text }
        : { type: 'holdfast.heard', ref: ours.ref },
    )
  }

  #isNew(id: unknown): boolean {
    const before = this.#written.size
    return this.#written.add(id).size > before
  }

  #state(event: Fields, { info, error, status }: Fields): void {
    const state = asFields(status).type
    if (event.type === 'message.updated') this.#message(asFields(info))
    else if (event.type === 'session.error') this.#failed(error)
    else if (event.type === 'session.status' && state === 'retry') this.#write(event)
    else if (event.type === 'session.status' && state === 'idle' && this.#turn !== null) this.#end(this.#turn)
  }

  #message({ id, role }: Fields): void {
    if (role === 'user') this.#userMessages.add(id)
  }

  /**
   * The first error of a turn is its reason. An error before the turn began ends it: nothing will follow. But an
   * interruption that is told when no turn is on belongs to the turn before, whose end was told first.
   */
  #failed(error: unknown): void {
    if (this.#turn !== null) this.#turn.error ??= error
    else if (isInterruption(error)) return
    else if (this.#expected.shift() !== undefined) this.#end({ finish: undefined, error })
  }

  /** The end of a turn may come in two events; only the first one counts. */
  #end({ finish, error }: Turn): void {
    this.#turn = null
    this.#write({ type: 'holdfast.finished', sessionID: this.#session, finish, error, timestamp: Date.now() })
    this.#wakeIfIdle()
  }

  #wakeIfIdle(): void {
    if (!this.isBusy) for (const rested of this.#waitingForIdle.splice(0)) rested()
  }
}

const isInterruption = (error: unknown) => asFields(error).name === 'MessageAbortedError'
