// Owns the cutting of what was read into parts that are stored one by one. Pure.
import type { AgentDriver, AgentSays } from '../../ports/agent-driver.ts'

export type Part = { readonly bytes: number; readonly says: readonly AgentSays[] }

const NEWLINE = 0x0a
/** Some milliseconds of work, and words that die young. A chunk of very short lines would take seconds, in which nobody else is supervised. */
const MOST_LINES = 1000

/**
 * One part, unless something is asked in the middle or its lines are very many; each is read when it is asked for.
 * Lines are decoded one by one: a single wide character would make the whole chunk wide, and slow.
 */
export function* splitReading(
  { buffer, byteOffset, length }: Uint8Array,
  driver: Pick<AgentDriver, 'readEvent' | 'isOf'>,
  session: string | null,
): Generator<Part> {
  const bytes = Buffer.from(buffer, byteOffset, length)
  let says: AgentSays[] = []
  let known = session
  let begin = 0
  let lines = 0
  for (let at = 0; at < length; ) {
    const newline = bytes.indexOf(NEWLINE, at)
    const end = newline === -1 ? length : newline
    const line = bytes.toString('utf8', at, end)
    const heard = isBlank(line) || isForeign(line, known, driver) ? [] : driver.readEvent(line)
    // One by one: as arguments, those of a long line would not fit on the stack.
    for (const said of heard) {
      says.push(said)
      if (said.kind === 'session') known = said.id
    }
    at = Math.min(end + 1, length)
    lines++
    if (at < length && lines < MOST_LINES && !heard.some(({ kind }) => kind === 'asked')) continue
    yield { bytes: at - begin, says }
    begin = at
    says = []
    lines = 0
  }
}

const isBlank = (line: string) => line[0] !== '{' && line.trim() === ''

/** Of a helper that the agent started: its tools and sums are not the agent's. */
const isForeign = (line: string, session: string | null, driver: Pick<AgentDriver, 'isOf'>) =>
  session !== null && driver.isOf?.(line, session) === false
