import { HoldfastError } from '../../../domain/errors.ts'
import type { SentJson } from '../../../protocol/api.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine } from '../../render/cells.ts'
import { nextText } from '../../render/next-text.ts'
import { promptGiven } from '../../starting/prompt-given.ts'

export async function send({ args, options }: InputOf<'send'>, context: Context): Promise<number> {
  if (options.end && (args.prompt.length > 0 || options.file !== undefined))
    throw new HoldfastError('USAGE', 'Send the prompt first. Then use --end in a command of its own.')
  const body = options.end
    ? { end: true as const }
    : { prompt: await promptGiven({ command: 'send', words: args.prompt, file: options.file }, context) }
  const sent = await context.daemon().call('POST /api/tasks/:id/inputs', { id: args.id, body })
  context.show(sent, () => (options.end ? [`${sent.session_id} ends when its turn is over.`] : outcome(sent)))
  return 0
}

export function outcome(sent: SentJson): string[] {
  const { session_id, said, heard, next } = sent
  if (heard) return [`${session_id} has received the prompt.`]
  if (said) return [`The prompt was given to ${session_id}, but the agent has not confirmed it yet.`]
  if (next.kind === 'working') return [`${session_id} gets the prompt when its turn is over.`]
  if (next.kind === 'being_told') return [`${session_id} gets the prompt now: it is being typed.`]
  return [`${session_id} has not received the prompt yet.`, `  Next: ${oneLine(nextText(sent, Date.now()))}`]
}
