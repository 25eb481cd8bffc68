import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import type { RuntimeStartedJson } from '../../../protocol/json/runtime-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { isPerson } from '../../wire/caller.ts'
import { givenEnv } from '../../wire/given-env.ts'

export async function startRuntime(
  { args, options }: InputOf<'runtime start'>,
  context: Context,
): Promise<number> {
  const { env } = context
  const body = {
    role: args.role,
    dir: await directoryOf(options.workspace, context),
    seed: options.seed,
    agent: options.agent,
    model: options.model,
    env: givenEnv(env),
    allow_dir: isPerson(env) || undefined,
  }
  const started = await context.daemon().call('POST /api/runtimes', { body })
  if (!context.json) for (const notice of started.notices) context.say(notice)
  context.show(started, () => startedLines(started))
  return 0
}

/** A slug or id of a workspace, or a directory. */
async function directoryOf(workspace: string | undefined, context: Context): Promise<string> {
  if (workspace === undefined) return context.path()
  const { workspaces } = await context.daemon().call('GET /api/workspaces')
  const found = workspaces.find(({ id, slug }) => workspace === slug || workspace === id)
  if (found !== undefined) return found.path
  if (workspace.includes('/') || workspace.startsWith('.')) return context.path(workspace)
  throw new HoldfastError('WORKSPACE_NOT_FOUND', `No workspace '${printable(workspace)}'.`)
}

const DONE: Readonly<Record<RuntimeStartedJson['how'], string>> = {
  registered: 'Runtime ready',
  brought_back: 'Runtime ready again',
  already_up: 'Runtime already up',
}

const startedLines = ({ how, runtime: { agent_id, tmux_target } }: RuntimeStartedJson) => [
  `${DONE[how]}: ${agent_id} (${tmux_target})`,
  `  Tell it something: holdfast send ${agent_id} "…"`,
  `  Look at it:        holdfast attach ${agent_id}`,
]
