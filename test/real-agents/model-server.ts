// A model that does what the prompt says, for tests with real agent CLIs: loopback only, no model behind it.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicDialect } from './anthropic-dialect.ts'
import { chatDialect } from './chat-dialect.ts'
import type { Conversation, Dialect, Fields, Refusal, Turn } from './conversation.ts'
import { answerTo, type Directive, directiveFor } from './directives.ts'
import { responsesDialect } from './responses-dialect.ts'

/** One request to the model. Headers are not kept: they may carry a key. */
export type ModelRequest = {
  readonly seq: number
  readonly path: string
  readonly model: string
  readonly system: string
  readonly tools: readonly string[]
  readonly turns: readonly Turn[]
}

export type ModelServer = AsyncDisposable & {
  readonly url: string
  readonly requests: readonly ModelRequest[]
  /** What was asked for that is no model call: other paths, and hosts asked for when we are the proxy. */
  readonly strays: readonly string[]
  /** Its answer to everything, whatever the prompts say; null: as they say. */
  answer(always: Directive | null): void
  /** Whoever was held by `held` gets its answer now. */
  letGo(): void
  /** Nobody is there any more; or again, at the same address. */
  hangUp(): Promise<void>
  pickUp(): Promise<void>
}

const dialects: Readonly<Record<string, Dialect>> = {
  '/v1/messages': anthropicDialect,
  '/v1/responses': responsesDialect,
  '/v1/chat/completions': chatDialect,
}

export async function startModelServer(): Promise<ModelServer> {
  const model = new ScriptedModel((ms) => goOffline(ms))
  const server = createServer((request, response) => {
    model.serve(request, response).catch((error) => giveUp(response, error))
  })
  server.on('connect', (request, socket) => {
    model.strays.push(`CONNECT ${request.url}`)
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n', () => socket.destroy())
  })
  const listen = (port: number) => new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready))
  const hangUp = async () => {
    const closed = new Promise((done) => server.close(done))
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const left = new AbortController()
  const goOffline = async (ms: number) => {
    await hangUp()
    await sleep(ms, undefined, { signal: left.signal }).then(
      () => listen(port),
      () => {},
    )
  }
  return {
    url: `http://127.0.0.1:${port}`,
    requests: model.requests,
    strays: model.strays,
    answer: (always) => {
      model.always = always
    },
    letGo: () => model.letGo(),
    hangUp,
    pickUp: () => listen(port),
    [Symbol.asyncDispose]: () => {
      left.abort()
      return hangUp()
    },
  }
}

class ScriptedModel {
  readonly requests: ModelRequest[] = []
  readonly strays: string[] = []
  always: Directive | null = null
  readonly #held = new Set<AbortController>()
  /** How often a prompt was refused, for `http{status:times}`. */
  readonly #refused = new Map<string, number>()
  /** When `limited` and `offline` are over. */
  readonly #troubles = new Map<string, number>()
  readonly #goOffline: (ms: number) => Promise<void>

  constructor(goOffline: (ms: number) => Promise<void>) {
    this.#goOffline = goOffline
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://lab').pathname
    const dialect = request.method === 'POST' ? dialects[path] : undefined
    if (dialect) return this.#converse(path, dialect, (await json(request)) as Fields, response)
    if (path === '/v1/messages/count_tokens') return sendJson(response, { input_tokens: 100 })
    if (path === '/v1/models') return sendJson(response, MODELS)
    this.strays.push(`${request.method} ${request.url}`)
    return sendJson(response, { error: { message: 'not found' } }, 404)
  }

  async #converse(path: string, dialect: Dialect, body: Fields, response: ServerResponse): Promise<void> {
    const asked = dialect.read(body)
    const { model, system, turns } = asked
    const seq = this.requests.length + 1
    this.requests.push({ seq, path, model, system, tools: asked.tools.map(({ name }) => name), turns })
    const directive = this.always ?? directiveFor(asked, ({ verb }) => this.#isOver(verb))
    if (directive.verb === 'offline') return this.#goOffline(this.#meet(directive) - Date.now())
    if (directive.verb === 'drop') return void response.destroy()
    const refusal = this.#refusal(directive, asked, dialect)
    if (refusal) return sendJson(response, refusal.body, refusal.status, refusal.headers)
    if (directive.verb === 'held') await this.#hold(response)
    await speak(directive, asked, dialect, `lab${seq}`, response)
  }

  letGo(): void {
    for (const held of this.#held) held.abort()
    this.#held.clear()
  }

  /** Not for a client that is gone. */
  #hold(response: ServerResponse): Promise<void> {
    const held = new AbortController()
    this.#held.add(held)
    response.once('close', () => held.abort())
    return new Promise((go) => held.signal.addEventListener('abort', () => go(), { once: true }))
  }

  /** When it is over; from its first time on. */
  #meet({ verb, argument }: Directive): number {
    const until = this.#troubles.get(verb) ?? Date.now() + Number(argument) * 1000
    this.#troubles.set(verb, until)
    return until
  }

  #isOver(verb: string): boolean {
    return (this.#troubles.get(verb) ?? Number.POSITIVE_INFINITY) <= Date.now()
  }

  #refusal({ verb, argument }: Directive, asked: Conversation, dialect: Dialect): Refusal | undefined {
    if (verb === 'badkey') return dialect.badKey
    if (verb === 'limited') return dialect.limit(Math.ceil(this.#meet({ verb, argument }) / 1000))
    if (verb === 'usage') return dialect.limit(Math.ceil(Date.now() / 1000) + Number(argument || 3600))
    if (verb !== 'http') return undefined
    const [status, times = Number.POSITIVE_INFINITY] = argument.split(':').map(Number)
    const prompt = JSON.stringify(asked.turns)
    const before = this.#refused.get(prompt) ?? 0
    this.#refused.set(prompt, before + 1)
    return before < times ? dialect.refuse(status ?? 500, `scripted error ${status}`) : undefined
  }
}

async function speak(
  directive: Directive,
  asked: Conversation,
  dialect: Dialect,
  id: string,
  to: ServerResponse,
) {
  const { verb, argument } = directive
  if (verb === 'hang' || (verb === 'slow' && !asked.stream)) await pause(argument, to)
  const answer = answerTo(directive, asked)
  if (asked.stream) return stream(dialect.frames(answer, asked.model, id), directive, to)
  return sendJson(to, dialect.whole(answer, asked.model, id))
}

async function stream(frames: readonly string[], { verb, argument }: Directive, to: ServerResponse) {
  const half = Math.ceil(frames.length / 2)
  to.writeHead(200, { 'content-type': 'text/event-stream' })
  await new Promise((flushed) => to.write(frames.slice(0, half).join(''), flushed))
  if (verb === 'dropmid') return void to.destroy()
  if (verb === 'slow') await pause(argument, to)
  to.end(frames.slice(half).join(''))
}

const MODELS = { object: 'list', data: [{ id: 'lab-model', object: 'model', created: 0, owned_by: 'lab' }] }

/** Waits, but not for a client that is gone. */
async function pause(seconds: string, response: ServerResponse): Promise<void> {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  await sleep(Number(seconds || 3600) * 1000, undefined, { signal: gone.signal })
}

/** A prompt or a body that cannot be read; or a client that left, whom the answer does not reach. */
function giveUp(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else sendJson(response, { error: { message: String(error) } }, 400)
}

function sendJson(response: ServerResponse, body: unknown, status = 200, headers: Fields = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
