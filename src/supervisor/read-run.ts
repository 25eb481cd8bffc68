// Owns reading what an agent says: effects, offset and output length are stored together, so that no line counts twice or never.
import { saw } from '../domain/evidence.ts'
import type { AgentDriver, AgentSays } from '../ports/agent-driver.ts'
import type { Change, Reading } from '../ports/store.ts'
import type { Core, Watch } from './core.ts'
import { driverOf } from './driver-of.ts'
import { renderSays } from './render-says.ts'
import { showTask } from './show-task.ts'
import { refresh } from './watch-task.ts'

const CHUNK_BYTES = 1024 * 1024
/** A longer line is nobody's event: it is passed over, and counted. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024
/** Enough for any final message; a row is not a log. */
const MOST_LAST_WORDS = 64 * 1024
const NEWLINE = 0x0a

/** Reads everything there is, chunk by chunk. A last line without its newline waits for the rest, until the agent has ended. */
export async function readRun(watch: Watch, ended: boolean, core: Core): Promise<void> {
  let most = CHUNK_BYTES
  for (;;) {
    const from = watch.run.eventsOffset
    const { bytes, size } = await core.runFiles.readEvents(watch.run.id, from, most)
    if (size < from) return lostTail(watch, size, core)
    const end = bytes.lastIndexOf(NEWLINE) + 1
    if (end > 0) {
      await take(watch, bytes.subarray(0, end), core)
      most = CHUNK_BYTES
    } else if (bytes.length < most) {
      if (ended && bytes.length > 0) await take(watch, bytes, core)
      return
    } else if (most < LONGEST_LINE_BYTES) most *= 2
    else await passOver(watch, bytes.length, core)
  }
}

async function take(watch: Watch, bytes: Uint8Array, core: Core): Promise<void> {
  const { task, run } = watch
  const driver = driverOf(task, core)
  const lines = new TextDecoder().decode(bytes).split('\n')
  const heard = lines.filter((line) => line.trim() !== '').flatMap((line) => driver.readEvent(line))
  const says = withoutRepeats(heard, task.sessionId)
  const text = says.map(renderSays).join('')
  const outputLength = await core.handoff.appendOutput(task, run.outputLength, text)
  const reading: Reading = {
    taskId: task.id,
    runId: run.id,
    fromOffset: run.eventsOffset,
    offset: run.eventsOffset + bytes.length,
    outputLength,
    ...effects(says, driver),
    ...resultAfter(says),
  }
  const change = questionChange(watch, says, core)
  await core.store.recordReading(reading, change)
  await refresh(watch, core)
  if (change !== undefined) await showTask(watch.task, core)
}

function effects(says: readonly AgentSays[], driver: AgentDriver) {
  const usage = says.filter((said) => said.kind === 'usage')
  const sum = (of: (one: (typeof usage)[number]) => number) =>
    usage.reduce((total, one) => total + of(one), 0)
  const session = says.find((said) => said.kind === 'session' && driver.sessionIdPattern.test(said.id))
  const words = says.findLast((said) => said.kind === 'said')
  return {
    unknownLines: says.filter((said) => said.kind === 'unknown').length,
    tokensIn: sum((one) => one.tokensIn),
    tokensOut: sum((one) => one.tokensOut),
    costUsd: sum((one) => one.costUsd),
    ...(session?.kind === 'session' ? { sessionId: session.id } : {}),
    ...(words?.kind === 'said' ? { lastWords: words.text.slice(0, MOST_LAST_WORDS) } : {}),
  }
}

/** Some agents tell their session with every step. */
function withoutRepeats(says: readonly AgentSays[], known: string | null): AgentSays[] {
  const told = new Set([known])
  return says.filter((said) => said.kind !== 'session' || (!told.has(said.id) && told.add(said.id)))
}

/** An agent that uses tools after its result has not ended yet: the result is void until it says another. Words alone may be its farewell. */
function resultAfter(says: readonly AgentSays[]): Pick<Reading, 'result'> {
  const last = says.findLast(({ kind }) => ENDS_OR_GOES_ON.has(kind))
  if (last === undefined) return {}
  return { result: last.kind === 'finished' ? { ok: last.ok, text: last.text } : null }
}
const ENDS_OR_GOES_ON: ReadonlySet<AgentSays['kind']> = new Set(['finished', 'tool_began', 'tool_ended'])

/** The last word counts: an agent that asked and then went on is not asking any more. */
function questionChange(watch: Watch, says: readonly AgentSays[], core: Core): Change | undefined {
  const { task } = watch
  const last = says.findLast(
    (said) => said.kind !== 'usage' && said.kind !== 'unknown' && said.kind !== 'session',
  )
  const at = core.clock.now()
  if (last?.kind === 'asked' && task.status === 'running') {
    const reason =
      last.options.length === 0 ? last.question : `${last.question} (${last.options.join(' / ')})`
    return {
      task: {
        id: task.id,
        from: 'running',
        event: 'question_asked',
        reason,
        evidence: [saw('agent', 'ask event')],
        at,
      },
    }
  }
  if (last !== undefined && last.kind !== 'asked' && task.status === 'waiting_input')
    return {
      task: {
        id: task.id,
        from: 'waiting_input',
        event: 'question_settled',
        reason: 'the agent goes on',
        evidence: [saw('agent', `${last.kind} event`)],
        at,
      },
    }
  return undefined
}

/** The file is shorter than what we read: somebody cut it. We go on from its end and say so. */
async function lostTail(watch: Watch, size: number, core: Core): Promise<void> {
  core.log.warn('events file was cut', { run: watch.run.id, had: watch.run.eventsOffset, has: size })
  await skipTo(
    watch,
    size,
    0,
    `[holdfast] the event file was cut from ${watch.run.eventsOffset} to ${size} bytes\n`,
    core,
  )
}

async function passOver(watch: Watch, bytes: number, core: Core): Promise<void> {
  await skipTo(
    watch,
    watch.run.eventsOffset + bytes,
    1,
    `[holdfast] passed over ${bytes} bytes without a line end\n`,
    core,
  )
}

async function skipTo(
  watch: Watch,
  offset: number,
  unknownLines: number,
  note: string,
  core: Core,
): Promise<void> {
  const { task, run } = watch
  const outputLength = await core.handoff.appendOutput(task, run.outputLength, note)
  const nothing = { unknownLines, tokensIn: 0, tokensOut: 0, costUsd: 0 }
  await core.store.recordReading({
    taskId: task.id,
    runId: run.id,
    fromOffset: run.eventsOffset,
    offset,
    outputLength,
    ...nothing,
  })
  await refresh(watch, core)
}
