// Owns the input lines of Claude Code with `--input-format=stream-json`: one JSON object per line.
import type { Lines } from '../../ports/run/agent-driver.ts'
import { responseTo } from './asking.ts'

export const claudeLines: Lines = {
  // Claude Code repeats the uuid when the turn begins. A uuid that the session already knows begins no turn.
  prompt: ({ ref, text }) => lineOf({ type: 'user', uuid: ref, message: { role: 'user', content: text } }),
  answer(asked, answer) {
    const response = responseTo(asked, answer)
    return response && lineOf(response)
  },
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`
