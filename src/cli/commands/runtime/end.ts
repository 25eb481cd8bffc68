import { HoldfastError } from '../../../domain/errors.ts'
import type { GivenUpPromptJson } from '../../../protocol/json/runtime-json.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { oneLine, shorten } from '../../render/print/cells.ts'

/** Above this number of prompts, only the number of the others is printed. */
const MOST_LISTED = 10

export async function stopRuntime({ args }: InputOf<'runtime stop'>, context: Context): Promise<number> {
  const answer = await context.daemon().call('POST /api/runtimes/:id/stop', { id: args.runtime })
  const { already_stopped, runtime } = answer
  context.show(answer, () => [
    `${already_stopped ? 'Runtime was stopped already' : 'Runtime stopped'}: ${runtime.agent_id}`,
  ])
  return 0
}

export async function restartRuntime(
  { args }: InputOf<'runtime restart'>,
  context: Context,
): Promise<number> {
  const answer = await context.daemon().call('POST /api/runtimes/:id/restart', { id: args.runtime })
  context.show(answer, () => [`Runtime ready again: ${answer.runtime.agent_id}`])
  return 0
}

export async function removeRuntime(
  { args, options }: InputOf<'runtime rm'>,
  context: Context,
): Promise<number> {
  const daemon = context.daemon()
  const { runtime_id, agent_id } = await daemon.call('GET /api/runtimes/:id', { id: args.runtime })
  if (!options.force && !(await confirmed(agent_id, context))) {
    context.say('Nothing was removed.')
    return 0
  }
  const answer = await daemon.call('DELETE /api/runtimes/:id', { id: runtime_id })
  context.show(answer, () => [
    `Runtime removed: ${agent_id}`,
    ...givenUpLines(answer.given_up, context.width()),
  ])
  return 0
}

/** They are gone with the runtime: whoever still wants them sends them to another one. Undefined: of a daemon of an earlier version. */
function givenUpLines(prompts: readonly GivenUpPromptJson[] | undefined, width: number): string[] {
  if (prompts === undefined || prompts.length === 0) return []
  const listed = prompts
    .slice(0, MOST_LISTED)
    .map(({ trigger_id, by, text }) =>
      shorten(`    ${trigger_id} from ${oneLine(by)}: ${oneLine(text)}`, width),
    )
  const more = prompts.length - listed.length
  return [
    `  ${prompts.length === 1 ? '1 prompt' : `${prompts.length} prompts`} never reached it:`,
    ...listed,
    ...(more > 0 ? [`    and ${more} more`] : []),
  ]
}

async function confirmed(agentId: string, context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Removing a runtime needs a confirmation, and there is no terminal to ask you in.',
    )
  return isYes(
    await ask(`Stop and remove ${agentId}, with all files, logs and prompts that wait for it? [y/N]: `),
  )
}
