// Owns answers that a person types while a command waits for a session: while there is a question, each line is an answer.
import { createInterface } from 'node:readline'
import { isHoldfastError } from '../../domain/errors.ts'
import { readStat } from '../../system/processes/proc-stat.ts'
import type { Context } from '../context.ts'
import { oneLine } from '../render/print/cells.ts'

export type TypedAnswers = {
  /** Reads lines from now on, until one was accepted as the answer. False when no lines can be read. */
  listen(): boolean
  close(): void
}

/** Reads only while there is a question and this command has the terminal: the system stops a background job that reads. */
export function typedAnswers(
  id: string,
  { canAsk, daemon, say }: Pick<Context, 'canAsk' | 'daemon' | 'say'>,
): TypedAnswers {
  let lines: ReturnType<typeof createInterface> | undefined
  const close = () => {
    lines?.close()
    lines = undefined
    process.stdin.pause()
  }
  const give = async (choice: string) => {
    if (choice.trim() === '') return
    try {
      const { answer, settled } = await daemon().call('POST /api/tasks/:id/answer', { id, body: { choice } })
      close()
      say(
        settled
          ? `Answered: ${oneLine(answer)}`
          : `Answered: ${oneLine(answer)}; the agent has not taken the answer yet.`,
      )
    } catch (error) {
      if (!isHoldfastError(error)) throw error
      say(`${error.message} (${error.code})`)
      if (NOTHING_TO_ANSWER.has(error.code)) close()
    }
  }
  return {
    listen: () => {
      if (!canAsk() || !isForeground()) return false
      lines ??= createInterface({ input: process.stdin, terminal: false }).on(
        'line',
        (line) => void give(line),
      )
      return true
    },
    close,
  }
}

/** Errors after which there is nothing to answer: somebody else answered, or the session went on by itself. */
const NOTHING_TO_ANSWER: ReadonlySet<string> = new Set(['NOT_ASKING', 'ALREADY_ANSWERED', 'TASK_NOT_ACTIVE'])

/** Whether this process group has the terminal. Unknown counts as no. */
function isForeground(): boolean {
  const stat = readStat('self')
  return stat !== undefined && stat.group === stat.foregroundGroup
}
