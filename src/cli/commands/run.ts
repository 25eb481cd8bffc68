import { isatty } from 'node:tty'
import { HoldfastError } from '../../domain/errors.ts'
import type { InputOf } from '../commands.ts'
import type { Context } from '../context.ts'
import { promptFromFile, promptFromStdin, promptFromWords } from '../read-prompt.ts'
import { startTask } from '../start-task.ts'

export async function run(input: InputOf<'run'>, context: Context): Promise<number> {
  const prompt = await promptOf(input, context)
  return await startTask({ command: 'run', prompt, role: input.options.role }, input.options, context)
}

async function promptOf({ args, options }: InputOf<'run'>, context: Context): Promise<string> {
  const { file } = options
  if (file !== undefined) {
    if (args.prompt.length > 0)
      throw new HoldfastError('USAGE', 'Give the prompt as words or with --file, not both.')
    return file === '-' ? await promptFromStdin() : await promptFromFile(context.path(file), file)
  }
  if (args.prompt.length === 1 && args.prompt[0] === '-') return await promptFromStdin()
  if (args.prompt.length > 0) return promptFromWords(args.prompt)
  if (isatty(0))
    throw new HoldfastError('USAGE', 'No prompt: write it after `run`, name a --file, or pipe it in.')
  return await promptFromStdin()
}
