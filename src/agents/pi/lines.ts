// Owns the input lines of Pi's RPC mode. In a terminal run, our extension reads the same lines.
import type { Lines } from '../../ports/run/agent-driver.ts'
import { responseTo } from './asking.ts'

export const piLines: Lines = {
  // `followUp`, because after its last answer Pi may still be finishing: it refuses a prompt that may not wait.
  prompt: ({ ref, text }) =>
    lineOf({ id: ref, type: 'prompt', message: text, streamingBehavior: 'followUp' }),
  answer(asked, answer) {
    const response = responseTo(asked, answer)
    return response && lineOf(response)
  },
}

/** Asks for the session: in RPC mode, Pi does not report it by itself. */
export const piOpening = (): string => lineOf({ id: 'holdfast', type: 'get_state' })

const lineOf = (value: object) => `${JSON.stringify(value)}\n`
