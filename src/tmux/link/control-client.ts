// Owns one control-mode connection: commands in, replies out, in order.
import type { Clock } from '../../ports/clock.ts'
import { commandLine } from '../program/quote.ts'
import { spawnControlClient, type TmuxAddress } from '../program/spawn.ts'
import { type Block, ReplyReader } from './reply-reader.ts'

/** tmux refused a command. `before`: what the commands before it printed. */
export class TmuxRefused extends Error {
  readonly before: readonly string[]
  constructor(text: string, before: readonly string[]) {
    super(text)
    this.before = before
  }
}

/** No answer came. When the request was written, tmux may still carry it out. */
export class NoReply extends Error {
  readonly written: boolean
  constructor(message: string, written: boolean) {
    super(message)
    this.written = written
  }
}

export type ControlEvents = {
  /** A reply came, also a late one. */
  readonly onAnswer: () => void
  /** The connection is over; `lastWords` is what tmux printed last. */
  readonly onLost: (lastWords: string) => void
  /** tmux tells something that is no reply. */
  readonly onNotice?: (line: string) => void
}

/** `no-output`: a client that is slow to read must never stop an agent. */
export const OWN_FLAGS = ['no-output', 'ignore-size'] as const

type Request = {
  readonly sentinel: string
  readonly blocks: Block[]
  readonly resolve: (lines: string[]) => void
  readonly reject: (error: Error) => void
}

export class ControlClient {
  readonly pid: number | undefined
  /** Resolves when tmux has attached this client to its session. */
  readonly attached: Promise<void>
  #isAttached = () => {}
  #child: ReturnType<typeof spawnControlClient>
  #reader = new ReplyReader(
    (block) => this.#take(block),
    (line) => this.#notice(line),
  )
  #events: ControlEvents
  #lost: Promise<void>
  #requests: Request[] = []
  #sent = 0
  isOver = false

  /** `-E`: our environment is not copied to the session. */
  constructor(address: TmuxAddress, session: string, events: ControlEvents) {
    const args = ['attach-session', '-E', '-t', `=${session}`, '-f', OWN_FLAGS.join(',')]
    this.#events = events
    this.attached = new Promise((resolve) => {
      this.#isAttached = resolve
    })
    this.#child = spawnControlClient(address, args)
    this.pid = this.#child.pid
    this.#child.stdout.on('data', (chunk: Buffer) => this.#reader.read(chunk))
    this.#child.stdin.on('error', () => {})
    this.#lost = this.#untilLost()
  }

  /**
   * Returns the lines that all commands printed. One command line may give any number of reply blocks, so a command of our
   * own prints a sentinel at the end. Without commands, the request only checks that tmux answers.
   */
  request(...commands: (readonly string[])[]): Promise<string[]> {
    if (this.isOver) return Promise.reject(new NoReply(this.#reader.lastWords, false))
    const sentinel = `holdfast-reply-${++this.#sent}`
    const line = commands.length > 0 ? `${commandLine(...commands)}\n` : ''
    this.#child.stdin.write(`${line}${commandLine(['display-message', '-p', sentinel])}\n`)
    return new Promise((resolve, reject) => {
      this.#requests.push({ sentinel, blocks: [], resolve, reject })
    })
  }

  /** Rejects all open requests. They stay in the queue, so that late replies are not taken for those of later requests. */
  abandon(why: string): void {
    for (const { reject } of this.#requests) reject(new NoReply(why, true))
  }

  /** Closes stdin and waits for the client to end: one that is just killed may leave processes behind. */
  async close(clock: Clock, timeoutMs: number): Promise<void> {
    this.#child.stdin.end()
    const callOff = clock.after(timeoutMs, () => this.#destroy())
    await this.#lost
    callOff()
  }

  /** A stopped server holds the other end of our pipes and never closes them. */
  #destroy(): void {
    this.#child.kill('SIGKILL')
    for (const stream of this.#child.stdio) stream?.destroy()
  }

  #take(block: Block): void {
    const request = this.#requests[0]
    if (request === undefined) return
    if (block.lines.length !== 1 || block.lines[0] !== request.sentinel) {
      request.blocks.push(block)
      return
    }
    this.#requests.shift()
    finishRequest(request)
    this.#events.onAnswer()
  }

  #notice(line: string): void {
    if (line.startsWith('%session-changed ')) this.#isAttached()
    this.#events.onNotice?.(line)
  }

  async #untilLost(): Promise<void> {
    let stderr = ''
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = text
    })
    const failure = await new Promise<string>((resolve) => {
      this.#child.once('error', (error) => resolve(error.message))
      this.#child.once('close', () => resolve(''))
    })
    this.isOver = true
    const lastWords = failure || stderr.trim() || this.#reader.lastWords
    // The owner hears of it before the callers: when these ask again, this client is no longer in use.
    this.#events.onLost(lastWords)
    this.abandon(`the connection to tmux is gone: ${lastWords}`)
  }
}

function finishRequest({ blocks, resolve, reject }: Request): void {
  const refused = blocks.find(({ ok }) => !ok)
  const lines = blocks.filter(({ ok }) => ok).flatMap((block) => block.lines)
  if (refused) reject(new TmuxRefused(refused.lines.join(' '), lines))
  else resolve(lines)
}
