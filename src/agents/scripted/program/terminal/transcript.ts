import type { AgentEvent } from '../playing/events.ts'

/** The text of an event on the screen; undefined for events that are shown elsewhere. */
export function transcriptEntry(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'say':
      return `● ${event.text}`
    case 'thought':
      return `· ${event.text}`
    case 'tool_start':
      return `● ${event.tool}(${event.detail})`
    case 'tool_end':
      return `  ${event.ok ? '✓' : '✗'} ${event.tool}: ${event.detail}`
    case 'ask':
      return `? ${event.question}`
    case 'answer':
      return `  answered: ${event.answer}`
    case 'limit':
      return `! ${event.message}`
    case 'usage':
      return `  ${event.tokens_in} tokens in, ${event.tokens_out} out, $${event.cost_usd}`
    case 'result':
      return `${event.ok ? '✓' : '✗'} ${event.text}`
    case 'session':
    case 'prompt':
    case 'heard':
      return undefined
  }
}
