// Owns one request and its answer on a unix socket, in HTTP/1.0: the answer ends with the connection.
// node:http does far more, and loading it takes a fifth of a command's start (docs/adr/0001).
import { connect, type Socket } from 'node:net'

export type ExchangeRequest = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type ExchangeAnswer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: AnswerBody
}

/** `destroy`: ends an answer that comes bit by bit, for a reader that waits for its next bit. */
export type AnswerBody = AsyncIterable<Buffer> & { destroy?(): unknown }

export type Exchange = { readonly answer: Promise<ExchangeAnswer>; destroy(error?: Error): void }

const HEAD_END = Buffer.from('\r\n\r\n')

export function exchange(socketPath: string, request: ExchangeRequest): Exchange {
  const socket = connect(socketPath)
  socket.write(textOf(request))
  return { answer: answerFrom(socket), destroy: (error) => void socket.destroy(error) }
}

function textOf({ method, path, headers, body = '' }: ExchangeRequest): string {
  const all = { host: 'holdfast', ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.0\r\n${lines.join('')}\r\n${body}`
}

async function answerFrom(socket: Socket): Promise<ExchangeAnswer> {
  const all = await readAll(socket)
  const end = all.indexOf(HEAD_END)
  const [first = '', ...lines] = all.toString('latin1', 0, Math.max(0, end)).split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const body = all.subarray(end + HEAD_END.length)
  if (end === -1 || body.length < Number(headers.get('content-length') ?? 0)) throw closedTooEarly()
  return { status: Number(first.split(' ')[1]), headers, body: oneChunk(body) }
}

async function* oneChunk(body: Buffer): AsyncGenerator<Buffer> {
  yield body
}

/** Uses events: loading a stream's async iterator takes milliseconds, too. */
function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise((resolve, reject) => {
    socket
      .on('data', (chunk) => void chunks.push(chunk))
      .on('end', () => resolve(Buffer.concat(chunks)))
      .on('error', reject)
      .on('close', () => reject(closedTooEarly()))
  })
}

const closedTooEarly = () =>
  Object.assign(new Error('the connection ended too early'), { code: 'ECONNRESET' })
