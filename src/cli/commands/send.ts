import { HoldfastError } from '../../domain/errors.ts'
import type { SentJson } from '../../protocol/api.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { promptGiven } from '../prompt-given.ts'

export async function send({ args, options }: InputOf<'send'>, context: Context): Promise<number> {
  if (options.end && (args.prompt.length > 0 || options.file !== undefined))
    throw new HoldfastError('USAGE', 'Send the prompt first, then --end by itself.')
  const body = options.end
    ? { end: true as const }
    : { prompt: await promptGiven({ command: 'send', words: args.prompt, file: options.file }, context) }
  const sent = await context.daemon().call('POST /api/tasks/:id/inputs', { id: args.id, body })
  context.show(sent, () => [options.end ? `${sent.session_id} ends when its turn is over.` : outcome(sent)])
  return 0
}

function outcome({ session_id, said, heard }: SentJson): string {
  if (heard) return `${session_id} has it.`
  return said
    ? `Given to ${session_id}; it has not confirmed yet.`
    : `${session_id} gets it when its turn is over.`
}
