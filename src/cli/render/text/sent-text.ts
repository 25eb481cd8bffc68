// Owns the text about a prompt that was just sent, and about an answer that was just given.
import type { AnsweredJson, SentJson } from '../../../protocol/json/input-json.ts'
import { oneLine } from '../print/cells.ts'
import { nextText } from './next-text.ts'

export function sentLines(sent: SentJson, now: number): string[] {
  const { session_id, said, heard, next } = sent
  if (heard) return [`${session_id} has received the prompt.`]
  if (said) return [`The prompt was given to ${session_id}, but the agent has not confirmed it yet.`]
  if (next.kind === 'working') return [`${session_id} gets the prompt when its turn is over.`]
  if (next.kind === 'being_told') return [`${session_id} gets the prompt now: it is being typed.`]
  return [`${session_id} has not received the prompt yet.`, `  Next: ${oneLine(nextText(sent, now))}`]
}

export function answeredText({ session_id, question, answer, settled, task }: AnsweredJson): string {
  const given = `Answered: ${answer}.`
  if (task.completed_at !== null) return `${given} ${session_id} has ended (${task.status}).`
  if (task.stopping !== null) return `${given} ${session_id} is being ended.`
  if (question.answer_way === 'resume') return `${given} ${session_id} is resumed with this answer.`
  return settled
    ? `${given} ${session_id} goes on.`
    : `${given} ${session_id} has not gone on yet; see \`holdfast status ${session_id}\`.`
}
