// Owns the mode `--converse`: prompts and answers are JSON lines on stdin.
import { randomUUID } from 'node:crypto'
import { printEvent, printGarbage } from '../playing/events.ts'
import { play, type Turn } from '../playing/play.ts'
import type { Session } from '../playing/session-file.ts'
import type { Ending, Stage } from '../playing/stage.ts'
import { linesOf } from './read-stdin.ts'

/** Ends when stdin ends. A turn that is running then has no result, and a resumed session continues it. */
export function converse(session: Session, model: string | undefined): Promise<Ending> {
  printEvent({ type: 'session', id: session.id, model })
  return new Promise((ended, failed) => {
    const dialogue = new Dialogue(session, ended, failed)
    listen(process.stdin.setEncoding('utf8'), dialogue).then(() => ended({ kind: 'exit', code: 0 }), failed)
  })
}

/** A last line without its newline is ignored: it may be incomplete. */
async function listen(input: AsyncIterable<string>, dialogue: Dialogue): Promise<void> {
  for await (const line of linesOf(input)) {
    if (line.endsWith('\n') && !obey(line, dialogue))
      process.stderr.write(`Not understood: ${JSON.stringify(line.slice(0, 200))}\n`)
  }
}

function obey(line: string, dialogue: Dialogue): boolean {
  const { type, ref, text, answer } = fieldsOf(line)
  if (typeof ref !== 'string') return false
  if (type === 'answer' && typeof answer === 'string') return dialogue.answer(ref, answer)
  if (type !== 'prompt' || typeof text !== 'string') return false
  dialogue.hear(ref, text)
  return true
}

function fieldsOf(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}

class Dialogue {
  readonly #session: Session
  readonly #ended: (ending: Ending) => void
  readonly #failed: (error: unknown) => void
  readonly #asked = new Map<string, (answer: string) => void>()
  readonly #stage: Stage
  /** Resolves when all turns so far are over: turns are played one after the other. */
  #turns: Promise<void> = Promise.resolve()

  constructor(session: Session, ended: (ending: Ending) => void, failed: (error: unknown) => void) {
    this.#session = session
    this.#ended = ended
    this.#failed = failed
    this.#stage = {
      signal: new AbortController().signal,
      emit: printEvent,
      garbage: printGarbage,
      freeze() {},
      ask: (question, options) => this.#ask(question, options),
    }
  }

  /** Records the prompt before it reports it as heard: what it reported must survive its end. */
  hear(ref: string, prompt: string): void {
    this.#session.hear(prompt)
    printEvent({ type: 'heard', ref })
    const turn = { prompt, end: this.#session.steps.length }
    this.#turns = this.#turns.then(() => this.#play(turn)).catch(this.#failed)
  }

  /** False when no question waits for this answer. */
  answer(ref: string, answer: string): boolean {
    const resolve = this.#asked.get(ref)
    resolve?.(answer)
    return this.#asked.delete(ref)
  }

  async #play(turn: Turn): Promise<void> {
    const ending = await play(turn, this.#session, this.#stage)
    if (ending.kind === 'result') return
    this.#ended(ending)
    // No further turn begins.
    await new Promise(() => {})
  }

  /** The ref is unique, so that a late answer to a question of an earlier run is not taken for an answer to this one. */
  async #ask(question: string, options: readonly string[]): Promise<string> {
    const known = this.#session.answerTo(question)
    if (known !== undefined) return known
    const ref = randomUUID()
    printEvent({ type: 'ask', question, options, ref })
    const answer = await new Promise<string>((resolve) => this.#asked.set(ref, resolve))
    this.#session.answered(answer)
    return answer
  }
}
