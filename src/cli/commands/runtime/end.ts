import { HoldfastError } from '../../../domain/errors.ts'
import { ask, isYes } from '../../ask.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'

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
  context.show(answer, () => [`Runtime removed: ${agent_id}`])
  return 0
}

async function confirmed(agentId: string, context: Context): Promise<boolean> {
  if (!context.canAsk())
    throw new HoldfastError(
      'CONFIRMATION_NEEDED',
      'Removing a runtime needs a confirmation, and there is no terminal to ask you in.',
    )
  return isYes(await ask(`Stop and remove ${agentId}, with all files and logs? [y/N]: `))
}
