// Owns the session file of the agent: one JSON line for each start, each prompt it heard, each finished step and each answer.
import { randomUUID } from 'node:crypto'
import { mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { scriptOf } from '../script/parse-script.ts'

const ID = /^[a-z0-9][a-z0-9-]{7,63}$/

/** The prompts of a session make one script; a resumed session goes on after the last finished step. */
export class Session {
  readonly id: string
  readonly heard: string[] = []
  readonly steps: string[] = []
  done = 0
  /** How often the session was started or resumed, this time included. */
  lives = 0
  /** By the number of a step: epoch ms when the limit that it met is over. */
  readonly #limits = new Map<number, number>()
  /** Of the next step, if that asks: it was heard, or given, and the step was not finished since. */
  #answer: { readonly text: string; readonly to: string | null; isNoted: boolean } | undefined
  /** The steps that were left when a turn was interrupted. */
  #givenUp: readonly string[] = []
  readonly #resumed: boolean
  readonly #file: number

  private constructor(id: string, file: number, resumed: boolean) {
    this.id = id
    this.#file = file
    this.#resumed = resumed
  }

  static create(id: string = randomUUID()): Session {
    if (!ID.test(id)) throw new Error(`${shown(id)} is not a session id: it must match ${ID.source}`)
    mkdirSync(sessionsDirectory(), { recursive: true, mode: 0o700 })
    try {
      return new Session(id, openSync(pathOf(id), 'ax', 0o600), false).#begin()
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw new Error(`Session ${id} already exists; use --resume`)
      throw error
    }
  }

  static resume(id: string): Session {
    const text = ID.test(id) ? readIfThere(pathOf(id)) : undefined
    if (text === undefined) throw new Error(`No session found with id ${shown(id)}`)
    const session = new Session(id, openSync(pathOf(id), 'a'), true)
    for (const line of text.split('\n')) session.#recall(line)
    // After a line that kill -9 cut off, the next one must begin on a line of its own.
    if (text !== '' && !text.endsWith('\n')) writeSync(session.#file, '\n')
    return session.#begin()
  }

  /** Records the prompt before any of its steps, together with the steps: a script file may change later. */
  hear(prompt: string): void {
    const own = scriptOf(prompt, readIfThere)
    // A prompt without steps after an interruption continues the steps that were given up.
    const steps = own.length > 0 ? own : this.#givenUp
    this.#givenUp = []
    const run = process.env.HOLDFAST_RUN ?? null
    this.#note({ heard: prompt, at: Date.now(), pid: process.pid, run, resumed: this.#resumed, steps })
    this.heard.push(prompt)
    this.#answer = answerIn(prompt) ?? this.#answer
    for (const step of steps) this.steps.push(step)
  }

  /** Records that the first `count` steps are done. */
  finished(count: number): void {
    this.#note({ step: count })
    this.done = count
    this.#answer = undefined
  }

  /** The steps up to `count` are skipped, unless the next prompt tells the agent to go on. */
  giveUp(count: number): void {
    this.#note({ step: count, given_up: this.done })
    this.#givenUp = this.steps.slice(this.done, count)
    this.done = count
    this.#answer = undefined
  }

  answered(answer: string): void {
    this.#note({ answered: answer, at: Date.now(), to_step: this.done })
    this.#answer = { text: answer, to: null, isNoted: true }
  }

  /** A dialog that is none of the script's. */
  answeredPopUp(answer: string): void {
    this.#note({ answered: `pop-up: ${answer}`, at: Date.now() })
  }

  /**
   * What is known already: a prompt brought it, or an earlier life was given it and died before the next step. Undefined
   * when the question has to be asked. A prompt that names another question is no answer to this one.
   */
  answerTo(question: string): string | undefined {
    const known = this.#answer
    if (known === undefined || (known.to !== null && known.to !== oneLine(question))) return undefined
    if (!known.isNoted) this.answered(known.text)
    return known.text
  }

  /** Epoch ms when the limit of the next step is over. The same step meets the same limit again. */
  limitEnd(seconds: number): number {
    const known = this.#limits.get(this.done)
    if (known !== undefined) return known
    const until = Date.now() + Math.round(seconds * 1000)
    this.#limits.set(this.done, until)
    this.#note({ limit: until, at_step: this.done })
    return until
  }

  /** Deletes the session, so that it cannot be resumed. */
  forget(): void {
    rmSync(pathOf(this.id), { force: true })
  }

  #begin(): this {
    this.lives++
    this.#note({ life: this.lives, at: Date.now(), pid: process.pid, run: process.env.HOLDFAST_RUN ?? null })
    return this
  }

  #note(fact: object): void {
    writeSync(this.#file, `${JSON.stringify(fact)}\n`)
  }

  #recall(line: string): void {
    const fact = factOf(line)
    if (typeof fact.step === 'number') {
      this.done = fact.step
      this.#answer = undefined
    }
    if (typeof fact.answered === 'string' && fact.to_step === this.done)
      this.#answer = { text: fact.answered, to: null, isNoted: true }
    if (typeof fact.given_up === 'number') this.#givenUp = this.steps.slice(fact.given_up, fact.step)
    if (typeof fact.life === 'number') this.lives = fact.life
    if (typeof fact.limit === 'number') this.#limits.set(fact.at_step ?? 0, fact.limit)
    if (typeof fact.heard !== 'string') return
    this.#givenUp = []
    this.heard.push(fact.heard)
    this.#answer = answerIn(fact.heard) ?? this.#answer
    for (const step of fact.steps ?? []) this.steps.push(step)
  }
}

type Fact = {
  heard?: string
  steps?: string[]
  step?: number
  answered?: string
  to_step?: number
  life?: number
  limit?: number
  given_up?: number
  at_step?: number
}

/** How an agent that hears nothing while it lives is resumed with an answer. */
function answerIn(prompt: string) {
  const text = /^The answer is: (.*)$/m.exec(prompt)?.[1]
  const to = /^You asked: (.*)$/m.exec(prompt)?.[1]
  return text === undefined ? undefined : { text, to: to === undefined ? null : oneLine(to), isNoted: false }
}

/** As in the words of an answer. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

function factOf(line: string): Fact {
  try {
    return (JSON.parse(line) as Fact | null) ?? {}
  } catch {
    return {}
  }
}

function sessionsDirectory(): string {
  const { SCRIPTED_AGENT_HOME, XDG_STATE_HOME } = process.env
  const state = XDG_STATE_HOME || join(homedir(), '.local/state')
  return join(SCRIPTED_AGENT_HOME || join(state, 'holdfast-scripted-agent'), 'sessions')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const pathOf = (id: string) => join(sessionsDirectory(), `${id}.jsonl`)
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
const shown = (id: string) => id.slice(0, 80).replace(/[^ -~]/g, '?')
