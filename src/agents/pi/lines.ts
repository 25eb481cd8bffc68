// What is said to Pi: lines of its RPC mode. In a terminal run our extension reads the same ones.
import type { Lines } from '../../ports/agent-driver.ts'
import { responseTo } from './asking.ts'

export const piLines: Lines = {
  // After its last word it may still be settling; a prompt would be refused then, unless it may wait in line.
  prompt: ({ ref, text }) =>
    lineOf({ id: ref, type: 'prompt', message: text, streamingBehavior: 'followUp' }),
  answer(asked, answer) {
    const response = responseTo(asked, answer)
    return response && lineOf(response)
  },
}

/** Its RPC mode does not tell its session unasked. */
export const piOpening = (): string => lineOf({ id: 'holdfast', type: 'get_state' })

const lineOf = (value: object) => `${JSON.stringify(value)}\n`
