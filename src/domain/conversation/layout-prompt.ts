// Owns the prompt an agent without a system-prompt flag is given: who it is, then what to do.
import type { TaskId } from '../names/ids.ts'
import type { Snapshot } from '../task/task.ts'

export type PromptParts = Pick<Snapshot, 'prompt' | 'persona' | 'restrictions'>

/** Without a persona the task stands alone. The prompt's own bytes are kept, but for `<session-id>`. */
export function layoutPrompt(id: TaskId, { prompt, persona, restrictions }: PromptParts): string {
  const rules = restrictions.map((rule) => `- ${rule.replace(/\s+/g, ' ').trim()}\n`).join('')
  const task = rules ? `**RESTRICTIONS**:\n\n${rules}\n${prompt}` : prompt
  const whole = persona ? `${persona}\n\n---\n\n**TASK DELEGATION**:\n\n${task}` : task
  return fillSessionId(whole, id)
}

export const fillSessionId = (text: string, id: TaskId) => text.replaceAll('<session-id>', () => id)
