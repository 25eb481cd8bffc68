// Owns the lines that the bridge reads: prompts, and answers to permissions and questions.
import type { Lines } from '../../ports/run/agent-driver.ts'

/** In the order of `REPLIES`. */
export const PERMISSION_OPTIONS = ['Allow once', 'Allow always', 'Reject']
const REPLIES = ['once', 'always', 'reject']
/** A refusal without a message would end the turn. */
const GO_ON = 'The user does not allow this. Go on without it.'

export const opencodeLines: Lines = {
  prompt: ({ ref, text }) => line({ type: 'prompt', ref, text }),
  answer({ ref, options }, { option, text }) {
    // A free text is a refusal that says what to do instead.
    if (ref.startsWith('per_')) return option === null ? refuse(ref, text) : reply(ref, REPLIES[option])
    const answer = option === null ? text : options[option]
    return answer === undefined ? null : line({ type: 'answer', ref, answer })
  },
}

function reply(ref: string, word: string | undefined): string | null {
  if (word === undefined) return null
  return word === 'reject' ? refuse(ref, GO_ON) : line({ type: 'answer', ref, reply: word })
}

const refuse = (ref: string, message: string) => line({ type: 'answer', ref, reply: 'reject', message })

const line = (said: object) => `${JSON.stringify(said)}\n`
