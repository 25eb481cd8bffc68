import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { promptGiven } from '../../starting/prompt-given.ts'
import { startTask } from '../../starting/start-task.ts'

export async function run({ args, options }: InputOf<'run'>, context: Context): Promise<number> {
  const prompt = await promptGiven({ command: 'run', words: args.prompt, file: options.file }, context)
  return await startTask({ command: 'run', prompt, role: options.role }, options, context)
}
