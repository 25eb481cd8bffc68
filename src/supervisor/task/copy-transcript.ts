// Owns copying an agent's own transcript into the event lines of its run. Each copied line notes its place in the
// transcript: so the next daemon copies what a crash left out, and nothing twice.
import type { Run } from '../../domain/task/run.ts'
import type { Task } from '../../domain/task/task.ts'
import type { AgentDriver, Transcript } from '../../ports/run/agent-driver.ts'
import type { Core, Watch } from './core.ts'

/** The transcript, and the byte up to which it was copied. */
export type Copied = { readonly path: string; readonly offset: number }

const CHUNK_BYTES = 1024 * 1024
/** Chunks that one call reads. The rest of a long transcript is read by the next call. */
const MOST_CHUNKS = 8
/** The end of the event lines that is read: it surely holds at least one whole line. */
const TAIL_BYTES = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Returns true when event lines were added. */
export async function copyTranscript(
  watch: Watch,
  driver: AgentDriver,
  core: Pick<Core, 'handoff' | 'places' | 'runFiles'>,
): Promise<boolean> {
  const { task, run } = watch
  const { transcript } = driver
  if (transcript === undefined || task.mode !== 'interactive') return false
  const path = await pathOf(watch.copied, task, transcript, core)
  if (path === undefined) return false
  let { offset } =
    watch.copied?.path === path ? watch.copied : { offset: (await lastCopied(run, path, core)) ?? 0 }
  let isNew = false
  for (let chunks = 0; chunks < MOST_CHUNKS; chunks++) {
    const bytes = core.places.readFrom(path, offset, CHUNK_BYTES) ?? new Uint8Array()
    const end = bytes.lastIndexOf(NEWLINE) + 1
    // A line that is longer than a whole chunk is skipped: it contains nothing that we show.
    if (end === 0 && bytes.length < CHUNK_BYTES) break
    const whole = end === 0 ? bytes : bytes.subarray(0, end)
    const kept = keptOf(whole, { path, offset }, run, transcript)
    if (kept !== '') await core.runFiles.appendEvents(run.id, kept)
    isNew ||= kept !== ''
    offset += whole.length
  }
  watch.copied = { path, offset }
  return isNew
}

/** Each session has a file of its own: a new session id means another path. */
async function pathOf(
  copied: Copied | null,
  task: Task,
  transcript: Transcript,
  core: Pick<Core, 'handoff' | 'places'>,
): Promise<string | undefined> {
  const { sessionId } = task
  if (sessionId === null) return undefined
  if (copied?.path.includes(sessionId)) return copied.path
  return transcript.find(sessionId, await core.handoff.env(task), core.places.list)
}

/** The event lines for what the agent wrote since this run began. */
function keptOf(
  bytes: Uint8Array,
  { path, offset }: Copied,
  { createdAt }: Run,
  transcript: Transcript,
): string {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let kept = ''
  for (let at = 0; at < lines.length; ) {
    const newline = lines.indexOf(NEWLINE, at)
    const end = newline === -1 ? lines.length : newline
    const line = transcript.keep(lines.toString('utf8', at, end))
    at = end + 1
    if (line !== undefined && line.atMs >= createdAt)
      kept += `${JSON.stringify({ ...line.event, from: path, to: offset + at })}\n`
  }
  return kept
}

/** The byte up to which this transcript was copied, as the last event lines say; undefined when none says it. */
async function lastCopied(run: Run, path: string, core: Pick<Core, 'runFiles'>): Promise<number | undefined> {
  const { size } = await core.runFiles.readEvents(run.id, 0, 0)
  const { bytes } = await core.runFiles.readEvents(run.id, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)
  const lines = Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1)
  for (const line of lines.reverse()) {
    const { from, to } = fieldsIn(line)
    if (from === path && Number.isSafeInteger(to)) return to as number
  }
  return undefined
}

function fieldsIn(line: string): { readonly from?: unknown; readonly to?: unknown } {
  try {
    return JSON.parse(line) ?? {}
  } catch {
    return {}
  }
}
