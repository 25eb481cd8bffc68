import { get, type IncomingMessage } from 'node:http'

export type EventReader = {
  /** The number of every event that arrived, in that order. */
  readonly seqs: number[]
  /** From each event's commit until it arrived here. */
  readonly delays: number[]
  end(): void
}

const EVENT = /"seq":(\d+),"node":"[^"]*","at":(\d+)/

/** Resolves when the stream has begun. */
export async function readEvents(socketPath: string, query = ''): Promise<EventReader> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    get({ socketPath, path: `/api/events${query}`, agent: false }, resolve).on('error', reject),
  )
  if (response.statusCode !== 200) throw new Error(`the stream was refused: ${response.statusCode}`)
  const seqs: number[] = []
  const delays: number[] = []
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const now = performance.timeOrigin + performance.now()
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()!
    for (const block of blocks) {
      const [, seq, at] = EVENT.exec(block) ?? []
      if (at === undefined) continue
      seqs.push(Number(seq))
      delays.push(now - Number(at))
    }
  })
  response.on('error', () => {})
  return { seqs, delays, end: () => void response.destroy() }
}
