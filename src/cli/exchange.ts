// Owns one question and one answer on a unix socket, in HTTP/1.0: the connection's end is the answer's end.
// node:http does far more, and its loading alone costs a fifth of a command's start (docs/adr/0001).
import { connect, type Socket } from 'node:net'

export type Question = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type Answer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** As it comes. Throws when the connection ends before the answer does. */
  readonly body: AsyncIterable<Buffer>
}

export type Exchange = { readonly answer: Promise<Answer>; destroy(error?: Error): void }

const HEAD_END = Buffer.from('\r\n\r\n')

export function exchange(socketPath: string, question: Question): Exchange {
  const socket = connect(socketPath)
  socket.write(textOf(question))
  return { answer: answerFrom(socket), destroy: (error) => void socket.destroy(error) }
}

function textOf({ method, path, headers, body = '' }: Question): string {
  const all = { host: 'holdfast', ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.0\r\n${lines.join('')}\r\n${body}`
}

async function answerFrom(socket: Socket): Promise<Answer> {
  const head = await readHead(socket)
  const [first = '', ...lines] = head.toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  const length = headers.get('content-length')
  const body = length === undefined ? socket : wholeBody(socket, Number(length))
  return { status: Number(first.split(' ')[1]), headers, body }
}

/** What came after the head is put back, to be read as the body. */
function readHead(socket: Socket): Promise<Buffer> {
  let seen = Buffer.alloc(0)
  return new Promise((resolve, reject) => {
    const look = () => {
      for (let more = socket.read(); more !== null; more = socket.read()) {
        seen = Buffer.concat([seen, more])
        const end = seen.indexOf(HEAD_END)
        if (end === -1) continue
        socket.off('readable', look).off('close', close)
        socket.unshift(seen.subarray(end + HEAD_END.length))
        resolve(seen.subarray(0, end))
        return
      }
    }
    const close = () => reject(hungUp())
    socket.on('error', reject).on('readable', look).once('close', close)
  })
}

async function* wholeBody(socket: Socket, length: number): AsyncGenerator<Buffer> {
  let left = length
  for await (const bytes of socket) {
    left -= bytes.length
    yield bytes
  }
  if (left > 0) throw hungUp()
}

const hungUp = () => Object.assign(new Error('the connection ended too early'), { code: 'ECONNRESET' })
