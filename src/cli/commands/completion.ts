import type { InputOf } from '../commands.ts'
import { completionScripts } from '../completion-scripts.ts'
import type { Context } from '../context.ts'

export async function completion({ args }: InputOf<'completion'>, context: Context): Promise<number> {
  context.out(completionScripts[args.shell]())
  return 0
}

/** Pressing Tab must neither start a daemon nor print an error into the line. */
export async function completionIds(_input: InputOf<'completion ids'>, context: Context): Promise<number> {
  const found = await context
    .runningDaemon()
    .call('GET /api/tasks', { query: {} })
    .catch(() => undefined)
  for (const { session_id } of found?.tasks ?? []) context.out(session_id)
  return 0
}
