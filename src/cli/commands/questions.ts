import type { OpenQuestionJson } from '../../protocol/recovery-json.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/cells.ts'
import { optionLines } from '../render/question-text.ts'
import { elapsed } from '../render/time.ts'

export async function questions(_: InputOf<'questions'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/questions')
  context.show(answer, () => questionsLines(answer.questions, Date.now()))
  return 0
}

/** One block each: options are lines of their own, and no terminal is wide enough for a table of them. */
export function questionsLines(all: readonly OpenQuestionJson[], now: number): string[] {
  if (all.length === 0) return ['Nobody asks anything']
  return all.flatMap(({ session_id, agent, asked_at, question, options, answer_with }, at) => [
    ...(at === 0 ? [] : ['']),
    `${session_id} (${oneLine(agent)}) asked ${elapsed((now - Date.parse(asked_at)) / 1000)} ago: ${oneLine(question)}`,
    ...optionLines(options),
    `  Answer with: ${answer_with}`,
  ])
}
