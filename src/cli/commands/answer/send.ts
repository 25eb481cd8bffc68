import { HoldfastError } from '../../../domain/errors.ts'
import type { SentJson } from '../../../protocol/json/input-json.ts'
import { sentSince } from '../../../protocol/sent-since.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { onInterrupt } from '../../interrupt.ts'
import { sentLines } from '../../render/text/sent-text.ts'
import { forcedLine, sanitisedLine, triggerOutcome } from '../../render/text/trigger-text.ts'
import { promptGiven } from '../../starting/prompt-given.ts'
import { DEFAULT_PATIENCE_SECONDS, staysText, waitForTrigger } from '../../waiting/wait-for-trigger.ts'

type Options = InputOf<'send'>['options']

export async function send({ args, options }: InputOf<'send'>, context: Context): Promise<number> {
  if (options.end && (args.prompt.length > 0 || options.file !== undefined))
    throw new HoldfastError('USAGE', 'Send the prompt first. Then use --end in a command of its own.')
  const force = forceOf(options)
  const { thread, reason, key } = options
  const body = options.end
    ? { end: true as const }
    : {
        prompt: await promptGiven({ command: 'send', words: args.prompt, file: options.file }, context),
        ...(thread === undefined ? {} : { thread }),
        ...(reason === undefined ? {} : { reason }),
        ...(key === undefined ? {} : { key }),
        ...(force === undefined ? {} : { force }),
      }
  if (options.wait !== undefined)
    onInterrupt(() =>
      context.say(`What was sent stays as it is: see \`holdfast trigger list --to ${args.id}\`.`),
    )
  const sent = await context.daemon().call('POST /api/tasks/:id/inputs', { id: args.id, body })
  if (options.end || sent.trigger_id === null) {
    context.show(sent, () => [`${sent.session_id} ends when its turn is over.`])
    return 0
  }
  return options.wait === undefined
    ? shown(sent, options, context)
    : waited(sent, options.wait, options, context)
}

function forceOf({ force, operator, why, end }: Options) {
  if (!force && operator === undefined && why === undefined) return undefined
  if (end || !force || !operator?.trim() || !why?.trim())
    throw new HoldfastError(
      'USAGE',
      '--force needs --operator (who is responsible) and --why, and they need --force.',
    )
  return { operator, why }
}

function shown(sent: SentJson, options: Options, context: Context): number {
  context.show(sent, () => [
    ...sentLines(sent, Date.now()),
    ...sanitisedLine(sent.sanitised),
    ...forcedLine(sent, options),
  ])
  return 0
}

/** Exits 0 when it is so far, else as its code says, or 2. */
async function waited(
  sent: SentJson,
  wait: 'submitted' | 'acknowledged',
  options: Options,
  context: Context,
): Promise<number> {
  const seconds = options.timeout === undefined ? DEFAULT_PATIENCE_SECONDS : options.timeout
  const id = String(sent.trigger_id)
  onInterrupt(() => context.say(staysText(id, wait)))
  const { trigger, exit } = await waitForTrigger(id, wait, seconds, context)
  context.show(sentSince(sent, trigger), () => [
    ...triggerOutcome(trigger, Date.now()),
    ...sanitisedLine(trigger.sanitised),
    ...forcedLine(sent, options),
  ])
  return exit
}
