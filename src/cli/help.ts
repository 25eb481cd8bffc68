// Owns the words of `--help`, made from the command table.
import type { Command, Option } from './command.ts'
import { commands, globalOptions } from './commands.ts'
import { GROUPS } from './front-page.ts'
import { findCommand, unknownCommand, usageLine } from './parse-command.ts'

const WIDTH = 80
const listed: readonly Command[] = (commands as readonly Command[]).filter(({ hidden }) => !hidden)

/** Without a topic the short page, or with `all` every command. A topic is a group such as `workspace`, or one command. */
export function helpFor(topic: readonly string[], { all = false } = {}): string {
  if (topic.length === 0) return all ? overview(listed) : shortPage()
  const command = findCommand(topic)
  if (command !== undefined) return commandHelp(command)
  const group = listed.filter(({ name }) => topic.length === 1 && name.startsWith(`${topic[0]} `))
  if (group.length === 0) throw unknownCommand(topic)
  return overview(group)
}

const SENTENCE = 'Holdfast keeps coding agents working until the job is done.'
const USAGE = 'Usage: holdfast [--home DIR] [--json] <command> [options]'

/** The page with the everyday commands. */
function shortPage(): string {
  const groups = Object.entries(GROUPS)
  const left = Math.max(...groups.flatMap(([, names]) => names.map((name) => name.length)))
  return sections([
    SENTENCE,
    USAGE,
    ...groups.map(([title, names]) => titled(title, rows(names.flatMap(namesAndSummaries), left))),
    'A session is named by its id, its --name, any unique part of its id, or `last`.\n' +
      '`holdfast help <command>` shows more; `holdfast --help --all` shows all commands.',
  ])
}

const namesAndSummaries = (wanted: string): [string, string][] =>
  listed.filter(({ name }) => name === wanted).map(({ name, summary }) => [name, summary])

function overview(shown: readonly Command[]): string {
  return sections([
    SENTENCE,
    USAGE,
    titled('Commands', rows(shown.map(({ name, summary }) => [name, summary]))),
    titled('Options', optionRows(globalOptions)),
    'Exit codes: 0 done, 1 wrong use or something that is needed is missing,\n2 failed, 130 interrupted. `holdfast help <command>` shows more.',
  ])
}

function commandHelp(command: Command): string {
  const { summary, details, options, examples } = command
  const args: [string, string][] = command.arguments.map(({ name, about }) => [`<${name}>`, about])
  return sections([
    `Usage: ${usageLine(command)}${options.length > 0 ? ' [options]' : ''}`,
    wrap(details === undefined ? summary : `${summary} ${details}`, WIDTH).join('\n'),
    args.length > 0 && titled('Arguments', rows(args)),
    options.length > 0 && titled('Options', optionRows(options)),
    titled('Options of every command', optionRows(globalOptions)),
    titled(
      'Examples',
      examples.map((line) => `  ${line}`),
    ),
  ])
}

const sections = (parts: readonly (string | false)[]) => parts.filter(Boolean).join('\n\n')
const titled = (title: string, lines: readonly string[]) => [`${title}:`, ...lines].join('\n')

const optionRows = (options: readonly Option[]) =>
  rows(options.map((option) => [label(option), about(option)]))

function label({ name, short, value }: Option): string {
  const names = short === undefined ? `    --${name}` : `-${short}, --${name}`
  return value === undefined ? names : `${names} ${value}`
}

function about({ about, choices, repeatable, default: otherwise }: Option): string {
  const notes = [
    choices?.join(', '),
    repeatable && 'may be repeated',
    otherwise !== undefined && `default: ${otherwise}`,
  ].filter(Boolean)
  return notes.length === 0 ? about : `${about} (${notes.join('; ')})`
}

/** Two columns; the text of the second one is wrapped within its column. */
function rows(
  pairs: readonly (readonly [string, string])[],
  left = Math.max(...pairs.map(([name]) => name.length)),
): string[] {
  return pairs.flatMap(([name, text]) =>
    wrap(text, WIDTH - left - 4).map((line, index) => `  ${(index === 0 ? name : '').padEnd(left)}  ${line}`),
  )
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
