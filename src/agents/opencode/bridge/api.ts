// Owns HTTP with OpenCode's server: one request with its answer, and the stream of its events.
import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { asFields, type Fields, fieldsOf, isText } from '../../shared/json-line.ts'
import { readEvents } from './event-stream.ts'

type Login = { readonly username: string; readonly password: string }

export class Api {
  readonly #url: string
  readonly #auth: string
  readonly #dir: string

  constructor(url: string, { username, password }: Login, dir: string) {
    this.#url = url
    this.#auth = `${username}:${password}`
    this.#dir = dir
  }

  async get(path: string): Promise<Fields> {
    return answerOf(await this.#send('GET', path))
  }

  async post(path: string, body: object = {}): Promise<Fields> {
    return answerOf(await this.#send('POST', path, JSON.stringify(body)))
  }

  /** Resolves when the server has begun to send events; `ended` resolves when the stream is over. */
  async events(take: (event: Fields) => void): Promise<{ readonly ended: Promise<void> }> {
    const response = await this.#send('GET', '/event')
    if (response.statusCode !== 200) await answerOf(response)
    return { ended: readEvents(response, (data) => take(fieldsOf(data))) }
  }

  #send(method: string, path: string, body?: string): Promise<IncomingMessage> {
    const url = new URL(path, this.#url)
    url.searchParams.set('directory', this.#dir)
    const options: RequestOptions = {
      method,
      auth: this.#auth,
      headers: { 'content-type': 'application/json' },
    }
    return new Promise((resolve, reject) => {
      request(url, options, resolve).on('error', reject).end(body)
    })
  }
}

async function answerOf(response: IncomingMessage): Promise<Fields> {
  const said = await text(response)
  const { statusCode = 0 } = response
  if (statusCode >= 200 && statusCode < 300) return fieldsOf(said)
  const { message, data } = fieldsOf(said)
  const words = [asFields(data).message, message].find(isText) ?? said.slice(0, 500)
  throw new Error(words === '' ? `opencode answered ${statusCode}` : words)
}
