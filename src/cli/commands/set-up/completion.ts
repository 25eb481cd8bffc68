// Owns the script for completion by the shell, and the commands that the script asks for names.
import type { InputOf } from '../../commands.ts'
import { completionScripts } from '../../completion-scripts.ts'
import type { Context } from '../../context.ts'

export async function completion({ args }: InputOf<'completion'>, context: Context): Promise<number> {
  context.out(completionScripts[args.shell]())
  return 0
}

/** Pressing Tab must neither start a daemon nor print an error into the line. */
export async function completionIds(_input: InputOf<'completion ids'>, context: Context): Promise<number> {
  const asked = context.runningDaemon().call('GET /api/tasks/rows', { query: {} })
  const rows = await asked.then((found) => found.rows).catch(() => [])
  const names = rows.flatMap(({ name }) => name ?? [])
  print(
    [...names, ...(rows.length === 0 ? [] : ['last']), ...rows.map(({ session_id }) => session_id)],
    context,
  )
  return 0
}

export async function completionRoles(
  _input: InputOf<'completion roles'>,
  context: Context,
): Promise<number> {
  const query = { dir: context.path() }
  const asked = context.runningDaemon().call('GET /api/roles', { query })
  print(await asked.then(({ roles }) => roles.map(({ role }) => role)).catch(() => []), context)
  return 0
}

export async function completionWorkspaces(
  _input: InputOf<'completion workspaces'>,
  context: Context,
): Promise<number> {
  const asked = context.runningDaemon().call('GET /api/workspaces')
  print(await asked.then(({ workspaces }) => workspaces.map(({ slug }) => slug)).catch(() => []), context)
  return 0
}

export async function completionTriggers(
  _input: InputOf<'completion triggers'>,
  context: Context,
): Promise<number> {
  const asked = context.runningDaemon().call('GET /api/triggers', { query: {} })
  print(
    await asked.then(({ triggers }) => triggers.map(({ trigger_id }) => trigger_id)).catch(() => []),
    context,
  )
  return 0
}

export async function completionThreads(
  _input: InputOf<'completion threads'>,
  context: Context,
): Promise<number> {
  const asked = context.runningDaemon().call('GET /api/threads', { query: {} })
  print(await asked.then(({ threads }) => threads.map(({ thread_id }) => thread_id)).catch(() => []), context)
  return 0
}

const print = (words: readonly string[], { out }: Context) => {
  for (const word of new Set(words)) out(word)
}
