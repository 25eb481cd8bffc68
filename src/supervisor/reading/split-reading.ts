// Owns splitting what was read into parts that are stored one by one. Pure.
import type { AgentDriver, AgentSays } from '../../ports/run/agent-driver.ts'

export type Part = { readonly bytes: number; readonly says: readonly AgentSays[] }

const NEWLINE = 0x0a
/** So many lines take some milliseconds. All very short lines of a chunk together would take seconds, and no other task is supervised meanwhile. */
const MOST_LINES = 1000

/**
 * A part ends behind a question, and after MOST_LINES lines. A part is read only when the caller asks for it.
 * Lines are decoded one by one: a single non-Latin character would make the string of a whole chunk large and slow.
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
    // Not `push(...heard)`: the many events of a long line would not fit on the stack as arguments.
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

/** The line is of a helper that the agent started: its tools and usage are not the agent's. */
const isForeign = (line: string, session: string | null, driver: Pick<AgentDriver, 'isOf'>) =>
  session !== null && driver.isOf?.(line, session) === false
