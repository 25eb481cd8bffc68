import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { promptFromFile } from '../../starting/read-prompt.ts'
import { startTask } from '../../starting/start-task.ts'

export async function create({ args, options }: InputOf<'create'>, context: Context): Promise<number> {
  const file = args['prompt-file']
  const prompt = await promptFromFile(context.path(file), file)
  return await startTask({ command: 'create', prompt, role: args.role }, options, context)
}
