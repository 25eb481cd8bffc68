// The extension that Pi loads for one run. It tells which tools the user's own extensions blocked, which no mode of Pi
// tells; in a terminal run also everything else, and it takes what is said there, without a key being pressed.

type Places = {
  readonly eventsFile: string
  /** Null where Pi itself tells and hears. */
  readonly inputFile: string | null
}

export const piExtension = ({ eventsFile, inputFile }: Places): string =>
  `
import { appendFileSync, constants, readFileSync, statSync } from 'node:fs'

const eventsFile = ${JSON.stringify(eventsFile)}
const inputFile = ${JSON.stringify(inputFile)}
const APPEND = constants.O_WRONLY | constants.O_APPEND
const NEWLINE = 0x0a

// Pi loads extensions anew with every session a person switches to; what was heard must not be heard again.
const life = (globalThis[Symbol.for('holdfast')] ??= { heardBytes: 0, said: undefined, session: undefined })

export default function (pi) {
  if (inputFile !== null) {
    tellTurns(pi)
    listen(pi)
  }
  tellBlocked(pi)
}

// Whatever happens here, the agent goes on. One write per line.
function tell(event) {
  try {
    appendFileSync(eventsFile, JSON.stringify(event) + '\\n', { flag: APPEND })
  } catch {}
}

// A tool that was called but never gave a result did not run.
function tellBlocked(pi) {
  const called = new Set()
  pi.on('tool_call', ({ toolCallId }) => void called.add(toolCallId))
  pi.on('tool_result', ({ toolCallId }) => void called.delete(toolCallId))
  pi.on('tool_execution_end', ({ toolCallId, toolName, result, isError }, { signal }) => {
    if (called.delete(toolCallId) && isError && !signal?.aborted) tell({ type: 'holdfast_blocked', toolName, result })
  })
}

function tellTurns(pi) {
  let last = { stopReason: 'no answer' }
  pi.on('message_end', ({ message }, ctx) => {
    if (message.role === 'user') tellHeard(message)
    if (message.role !== 'assistant') return
    tellSession(ctx)
    last = brief(message, ctx)
    tell({ type: 'message_end', message: last })
  })
  pi.on('tool_execution_start', tell)
  pi.on('tool_execution_end', tell)
  pi.on('session_compact', ({ compactionEntry: { usage } }) => tell({ type: 'compaction_end', result: { usage } }))
  pi.on('agent_settled', () => {
    tell({ type: 'holdfast_settled', message: last })
    last = { stopReason: 'no answer' }
  })
}

// Ours is known by its name, because an extension may have changed its words; a person's has none.
function tellHeard(message) {
  tell({ type: 'holdfast_heard', id: life.said, message: brief(message) })
  life.said = undefined
}

// Words and numbers; of all other parts only that they were there. What is stopped between two answers ends as an error.
function brief({ role, content, usage, stopReason, errorMessage, timestamp }, ctx) {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const said = parts.map(({ type, text }) => (type === 'text' ? { type, text } : { type }))
  const reason = ctx?.signal?.aborted ? 'aborted' : stopReason
  return { role, content: said, usage, stopReason: reason, errorMessage, timestamp }
}

// A session that a person switches to becomes the run's with the model's first answer: only then can it be resumed.
function tellSession({ sessionManager }) {
  const id = sessionManager.getSessionId()
  if (life.session !== id) tell({ type: 'session', id })
  life.session = id
}

function listen(pi) {
  let timer
  pi.on('session_start', ({ reason }, ctx) => {
    if (reason === 'startup') tellSession(ctx)
    clearInterval(timer)
    // Looked at rather than watched: watches are scarce, and can miss what was written before they began.
    timer = setInterval(() => hear(pi, ctx), 200).unref()
  })
  pi.on('session_shutdown', () => clearInterval(timer))
}

// One at a time, and only when nothing else is going on: a summary refuses prompts, an interruption drops them.
function hear(pi, ctx) {
  try {
    if (statSync(inputFile).size <= life.heardBytes || !ctx.isIdle()) return
    const bytes = readFileSync(inputFile).subarray(life.heardBytes)
    const end = bytes.indexOf(NEWLINE)
    if (end < 0) return
    life.heardBytes += end + 1
    const { id, type, message } = JSON.parse(bytes.toString('utf8', 0, end))
    if (type !== 'prompt') return
    life.said = id
    pi.sendUserMessage(message, { deliverAs: 'followUp' })
  } catch {}
}
`.trimStart()
