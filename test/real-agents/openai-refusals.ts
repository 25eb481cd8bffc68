// How the two OpenAI APIs refuse.
import { type Refusal, refusal } from './conversation.ts'

export const openAiRefuse = (status: number, message: string): Refusal =>
  refusal(status, { error: { message, type: 'lab_error' } })

/** A longer limit is waited for, and shown with its time. */
const SHOWN_FROM_MS = 90 * 60_000

/** OpenCode tries five times more, and leaves out its long pauses only where it is told to. */
export const openAiLimit = (resetsAt: number): Refusal =>
  refusal(
    429,
    {
      error: {
        type: 'usage_limit_reached',
        message: 'The usage limit has been reached',
        plan_type: 'plus',
        resets_at: resetsAt,
      },
    },
    resetsAt * 1000 > Date.now() + SHOWN_FROM_MS ? {} : { 'retry-after-ms': '20' },
  )

export const openAiBadKey: Refusal = refusal(401, {
  error: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' },
})
