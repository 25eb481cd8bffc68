// Owns where a prompt comes from: words, a file, or stdin.
import { isatty } from 'node:tty'
import { HoldfastError } from '../../domain/errors.ts'
import type { Context } from '../context.ts'
import { promptFromFile, promptFromStdin, promptFromWords } from './read-prompt.ts'

export type PromptSource = {
  readonly command: string
  readonly words: readonly string[]
  readonly file: string | undefined
}

export async function promptGiven({ command, words, file }: PromptSource, context: Context): Promise<string> {
  if (file !== undefined) {
    if (words.length > 0)
      throw new HoldfastError('USAGE', 'Give the prompt as words or with --file, not both.')
    return file === '-' ? await promptFromStdin() : await promptFromFile(context.path(file), file)
  }
  if (words.length === 1 && words[0] === '-') return await promptFromStdin()
  if (words.length > 0) return promptFromWords(words)
  if (isatty(0))
    throw new HoldfastError(
      'USAGE',
      `No prompt: write it after \`${command}\`, give a file with --file, or pipe it in.`,
    )
  return await promptFromStdin()
}
