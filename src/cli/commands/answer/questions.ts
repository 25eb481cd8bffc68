import type { OpenQuestionJson } from '../../../protocol/json/recovery-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/print/cells.ts'
import { outageLines } from '../../render/text/outage-text.ts'
import { optionLines, sinceWhen, whatToDo } from '../../render/text/question-text.ts'

export async function questions(_: InputOf<'questions'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('GET /api/questions', { query: {} })
  const now = Date.now()
  const outage = answer.tmux === null ? [] : outageLines(answer.tmux, now)
  context.show(answer, () => [
    ...outage,
    ...(outage.length > 0 && answer.questions.length === 0 ? [] : questionsLines(answer.questions, now)),
  ])
  return 0
}

/** One block for each question: options need lines of their own, and no terminal is wide enough for a table. */
function questionsLines(all: readonly OpenQuestionJson[], now: number): string[] {
  if (all.length === 0) return ['No open questions']
  return all.flatMap((one, at) => [
    ...(at === 0 ? [] : ['']),
    `${one.session_id} (${oneLine(one.agent)}) ${sinceWhen(one, now)}: ${oneLine(one.question)}`,
    ...optionLines(one.options),
    `  ${whatToDo(one.session_id, one, isOnlyQuestion(one.session_id, all))}`,
  ])
}

const isOnlyQuestion = (id: string, all: readonly OpenQuestionJson[]) =>
  all.filter(({ session_id }) => session_id === id).length === 1
