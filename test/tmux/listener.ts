import { join } from 'node:path'
import type { TmuxTerminal } from '../../src/tmux/tmux-terminal.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { readIf } from './recorder.ts'

/** A screen program that asks for bracketed pastes and writes every byte it gets to a file. */
const program = (file: string) => [
  '/bin/sh',
  '-c',
  'stty raw -echo; printf "\\033[?2004hready"; exec cat > "$0"',
  file,
]

export const bracketed = (text: string) => `\x1b[200~${text}\x1b[201~`

/** A pane with that program, its name being its mark. */
export async function listen(terminal: TmuxTerminal, dir: string, name = 's') {
  const file = join(dir, `${name}.got`)
  const pane = await terminal.open({ task: name, mark: name, argv: program(file), cwd: dir })
  await waitFor('the program to listen', async () => (await terminal.readScreen(name, name)) === 'ready')
  return {
    pane,
    name,
    paste: (tag: string, text: string) => terminal.paste(name, name, tag, text),
    press: (tag: string, ...keys: string[]) => terminal.press(name, name, tag, keys),
    look: async () => (await terminal.look(name, name))!,
    /** All it ever got: a last key tells that nothing more is under way. */
    async got(): Promise<string> {
      await terminal.press(name, name, 'last', ['C-d'])
      const all = await waitFor('the last key', () => readIf(file)?.match(/^(.*)\x04$/s))
      return all[1]!
    },
  }
}
