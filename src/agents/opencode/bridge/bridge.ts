// Owns one session on OpenCode's server: our lines go in, its events come out.
import { type Fields, fieldsOf, isText } from '../../shared/json-line.ts'
import type { Api } from './api.ts'
import { EventLines } from './event-lines.ts'
import type { WriteLine } from './lines-out.ts'

type Options = {
  readonly session?: string | undefined
  readonly model?: string | undefined
  readonly agent?: string | undefined
  readonly auto: boolean
}

export class Bridge {
  readonly #api: Api
  readonly #options: Options
  readonly #write: WriteLine
  readonly #lines: EventLines
  /** Answers to a request with several questions: they are sent together. */
  readonly #answers = new Map<string, string[]>()
  #ended: Promise<void> = Promise.resolve()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(api: Api, options: Options, write: WriteLine) {
    this.#api = api
    this.#options = options
    this.#write = write
    this.#lines = new EventLines(write)
  }

  /** Resumes or creates the session, and writes its id before any prompt. From here on, no event is missed. */
  async open(): Promise<string> {
    const { session } = this.#options
    const { id } = session === undefined ? await this.#api.post('/session') : await this.#find(session)
    if (!isText(id)) throw new Error('opencode made no session')
    this.#lines.own(id)
    this.#write({ type: 'holdfast.session', sessionID: id })
    this.#ended = (await this.#api.events((event) => this.#take(event))).ended
    return id
  }

  /** Resolves when the stream of events ends. */
  follow(): Promise<void> {
    return this.#ended
  }

  /** Lines are handled one after the other, also when one of them fails. */
  hear(line: string): void {
    const said = fieldsOf(line)
    this.#queue = this.#queue.then(() =>
      said.type === 'prompt' ? this.#prompt(said) : said.type === 'answer' ? this.#answer(said) : undefined,
    )
  }

  /** Ends the running turn with its tools, and waits until its end was written. */
  async abort(): Promise<void> {
    if (!this.#lines.isBusy) return
    await this.#api.post(`/session/${this.#lines.session}/abort`)
    await this.#lines.untilIdle()
  }

  #find(session: string): Promise<Fields> {
    return this.#api.get(`/session/${encodeURIComponent(session)}`)
  }

  #take(event: Fields): void {
    const asked = this.#options.auto ? this.#lines.permissionAsked(event) : undefined
    if (asked === undefined) this.#lines.take(event)
    else void this.#reply(`/permission/${asked}/reply`, { reply: 'once' })
  }

  async #prompt({ ref, text }: Fields): Promise<void> {
    if (!isText(ref) || !isText(text)) return
    const { model, agent } = this.#options
    const said = {
      parts: [{ type: 'text', text }],
      ...(model !== undefined && { model: modelOf(model) }),
      ...(agent !== undefined && { agent }),
    }
    this.#lines.expect({ ref, text })
    try {
      await this.#api.post(`/session/${this.#lines.session}/prompt_async`, said)
    } catch (error) {
      this.#lines.refusePrompt(messageOf(error))
    }
  }

  async #answer({ ref, reply, message, answer }: Fields): Promise<void> {
    if (!isText(ref)) return
    if (!isText(answer)) return this.#reply(`/permission/${ref}/reply`, { reply, message })
    const [request = '', number = '0'] = ref.split('/')
    const answers = this.#answers.get(request) ?? []
    answers[Number(number)] = answer
    this.#answers.set(request, answers)
    const count = this.#lines.questionsIn(request)
    if (Object.keys(answers).length >= count)
      await this.#reply(`/question/${request}/reply`, { answers: answers.map((one) => [one]) })
  }

  /** An error becomes a note: a person may have answered on the screen before. */
  async #reply(path: string, body: object): Promise<void> {
    await this.#api.post(path, body).catch((error) => {
      this.#write({ type: 'holdfast.note', text: messageOf(error) })
    })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Splits `provider/model`; the name of a model may contain more slashes. */
function modelOf(model: string) {
  const [providerID = '', ...rest] = model.split('/')
  return { providerID, modelID: rest.join('/') }
}
