import { messageOf } from '../../../domain/errors.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { isPerson } from '../../wire/caller.ts'
import { toolWorld } from './tool-world.ts'

/** Serves until the client is gone. It starts without a daemon: an agent must not wait for its tools. */
export async function mcp(_: InputOf<'mcp'>, context: Context): Promise<number> {
  const { serveTools } = await import('../../../mcp/main.ts')
  await serveTools(toolWorld(context), () => void tellThatToolsAreUp(context), context.say)
  // A tool that still waits for something must not keep us: nobody reads its answer.
  return process.exit(0)
}

/** A run's tools have reached its agent. Where that cannot be told, the tools work all the same. */
async function tellThatToolsAreUp(context: Context): Promise<void> {
  if (isPerson(context.env)) return
  try {
    await context.daemon().call('POST /api/self/bridge')
  } catch (error) {
    context.say(`holdfast mcp: ${messageOf(error)}`)
  }
}
