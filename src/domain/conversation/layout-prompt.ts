// Owns the prompt for an agent without a system-prompt flag: first its persona, then the task.
import type { TaskId } from '../names/ids.ts'
import type { Snapshot } from '../task/task.ts'

export type PromptParts = Pick<Snapshot, 'prompt' | 'persona' | 'restrictions'>

/** Without a persona, the result is the task alone. In the prompt itself only `<session-id>` is replaced. */
export function layoutPrompt(id: TaskId, { prompt, persona, restrictions }: PromptParts): string {
  const rules = restrictions.map((rule) => `- ${rule.replace(/\s+/g, ' ').trim()}\n`).join('')
  const task = rules ? `**RESTRICTIONS**:\n\n${rules}\n${prompt}` : prompt
  const whole = persona ? `${persona}\n\n---\n\n**TASK DELEGATION**:\n\n${task}` : task
  return fillSessionId(whole, id)
}

export const fillSessionId = (text: string, id: TaskId) => text.replaceAll('<session-id>', () => id)
