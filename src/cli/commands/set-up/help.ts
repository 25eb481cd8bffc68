import { commands, type InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { helpFor } from '../../help.ts'

/** With --json, prints the command table itself, for programs. */
export async function help({ args }: InputOf<'help'>, context: Context): Promise<number> {
  context.show({ commands }, () => [helpFor(args.command)])
  return 0
}
