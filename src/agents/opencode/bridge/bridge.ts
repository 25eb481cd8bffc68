// Owns one session on OpenCode's server: our lines go in, its events come out.
import { type Fields, fieldsOf, isText } from '../../shared/json-line.ts'
import type { Api } from './api.ts'
import type { Tell } from './lines-out.ts'
import { Retelling } from './retelling.ts'

type Options = {
  readonly session?: string | undefined
  readonly model?: string | undefined
  readonly agent?: string | undefined
  readonly auto: boolean
}

export class Bridge {
  readonly #api: Api
  readonly #options: Options
  readonly #tell: Tell
  readonly #retelling: Retelling
  /** Answers to a request with several questions: they go together. */
  readonly #answers = new Map<string, string[]>()
  #ended: Promise<void> = Promise.resolve()
  #queue: Promise<unknown> = Promise.resolve()

  constructor(api: Api, options: Options, tell: Tell) {
    this.#api = api
    this.#options = options
    this.#tell = tell
    this.#retelling = new Retelling(tell)
  }

  /** The session goes on or is made; its id is told before any prompt. From here on nothing is missed. */
  async open(): Promise<string> {
    const { session } = this.#options
    const { id } = session === undefined ? await this.#api.post('/session') : await this.#find(session)
    if (!isText(id)) throw new Error('opencode made no session')
    this.#retelling.own(id)
    this.#tell({ type: 'holdfast.session', sessionID: id })
    this.#ended = (await this.#api.events((event) => this.#take(event))).ended
    return id
  }

  /** Until the stream of events ends. */
  follow(): Promise<void> {
    return this.#ended
  }

  /** One after the other, whatever happens to one of them. */
  hear(line: string): void {
    const said = fieldsOf(line)
    this.#queue = this.#queue.then(() =>
      said.type === 'prompt' ? this.#prompt(said) : said.type === 'answer' ? this.#answer(said) : undefined,
    )
  }

  /** A turn that is on ends with its tools, and its end is told. */
  async abort(): Promise<void> {
    if (!this.#retelling.isBusy) return
    await this.#api.post(`/session/${this.#retelling.session}/abort`)
    await this.#retelling.rest()
  }

  #find(session: string): Promise<Fields> {
    return this.#api.get(`/session/${encodeURIComponent(session)}`)
  }

  #take(event: Fields): void {
    const asked = this.#options.auto ? this.#retelling.permissionAsked(event) : undefined
    if (asked === undefined) this.#retelling.take(event)
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
    this.#retelling.expect({ ref, text })
    try {
      await this.#api.post(`/session/${this.#retelling.session}/prompt_async`, said)
    } catch (error) {
      this.#retelling.refused(messageOf(error))
    }
  }

  async #answer({ ref, reply, message, answer }: Fields): Promise<void> {
    if (!isText(ref)) return
    if (!isText(answer)) return this.#reply(`/permission/${ref}/reply`, { reply, message })
    const [request = '', number = '0'] = ref.split('/')
    const answers = this.#answers.get(request) ?? []
    answers[Number(number)] = answer
    this.#answers.set(request, answers)
    const count = this.#retelling.questionsIn(request)
    if (Object.keys(answers).length >= count)
      await this.#reply(`/question/${request}/reply`, { answers: answers.map((one) => [one]) })
  }

  /** A person may have answered on the screen. */
  async #reply(path: string, body: object): Promise<void> {
    await this.#api.post(path, body).catch((error) => {
      this.#tell({ type: 'holdfast.note', text: messageOf(error) })
    })
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** `provider/model`; a model's name may hold more slashes. */
function modelOf(model: string) {
  const [providerID = '', ...rest] = model.split('/')
  return { providerID, modelID: rest.join('/') }
}
