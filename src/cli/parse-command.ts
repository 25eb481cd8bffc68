// Owns parsing argv into a checked command: every mistake becomes a USAGE error that names it.
import { parseArgs } from 'node:util'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { nearest } from '../domain/names/nearest.ts'
import { parseDuration } from '../domain/text/duration.ts'
import { type Argument, type Command, firstWord, type Option } from './command.ts'
import { commands, globalOptions } from './commands.ts'

type Value = string | number | boolean | null | readonly string[] | undefined
export type Parsed =
  | { readonly kind: 'help'; readonly topic: readonly string[]; readonly all: boolean }
  /** There was no command, only global options. */
  | { readonly kind: 'front_page'; readonly options: Readonly<Record<string, Value>> }
  | { readonly kind: 'version' }
  | {
      readonly kind: 'command'
      readonly command: Command
      readonly args: Readonly<Record<string, Value>>
      readonly options: Readonly<Record<string, Value>>
    }

const table: readonly Command[] = commands
/** The words that may follow the first word of a command: `workspace` → add, list, rm. */
const secondWords = (first: string) =>
  table
    .filter(({ name, hidden }) => !hidden && name.startsWith(`${first} `))
    .flatMap(({ name }) => name.split(' ').slice(1, 2))

export function parseCommand(argv: readonly string[]): Parsed {
  const words = positionals(argv, globalOptions)
  const command = findCommand(words.map(({ value }) => value))
  const taken = command === undefined ? [] : words.slice(0, command.name.split(' ').length)
  const rest = argv.filter((_, index) => !taken.some((word) => word.index === index))
  const options = [...(command?.options ?? []), ...globalOptions]
  const tokens = tokenize(rest, options)
  const has = (name: string) => tokens.some((token) => token.kind === 'option' && token.name === name)

  const said = words.map(({ value }) => value)
  if (has('help')) return { kind: 'help', topic: command?.name.split(' ') ?? said, all: has('all') }
  if (has('version')) return { kind: 'version' }
  const values = readOptions(tokens, options)
  if (said.length === 0 && values.json !== true) return { kind: 'front_page', options: values }
  if (command === undefined) throw unknownCommand(said)
  const given = tokens.flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
  return { kind: 'command', command, args: readArguments(command, given), options: values }
}

/** Names of two words are tried first: `completion ids` is not `completion`. */
export function findCommand(words: readonly string[]): Command | undefined {
  const named = (name: string) => table.find((command) => command.name === name)
  return named(words.slice(0, 2).join(' ')) ?? named(words[0] ?? '')
}

export function unknownCommand(words: readonly string[]): HoldfastError {
  const [first, next] = words
  if (first === undefined) return usage('No command given.')
  const among = secondWords(first)
  if (among.length === 0)
    return usage(`Unknown command '${printable(first)}'.${didYouMean(first, table.map(firstWord))}`)
  if (next === undefined) return usage(`'${first}' needs one of: ${among.join(', ')}.`)
  return usage(`Unknown command '${first} ${printable(next)}'.${didYouMean(next, among)}`)
}

type Token = ReturnType<typeof tokenize>[number]
/** Not strict: parseArgs only splits. We check, so that the messages are ours. */
function tokenize(argv: readonly string[], options: readonly Option[]) {
  const config = options.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
  ])
  return parseArgs({
    args: [...argv],
    options: Object.fromEntries(config),
    strict: false,
    allowPositionals: true,
    tokens: true,
  }).tokens
}

const positionals = (argv: readonly string[], options: readonly Option[]) =>
  tokenize(argv, options).flatMap((token) => (token.kind === 'positional' ? [token] : []))

function readOptions(tokens: readonly Token[], specs: readonly Option[]): Record<string, Value> {
  const given = new Map<string, string[]>()
  for (const token of tokens) {
    if (token.kind !== 'option') continue
    const spec = specs.find(({ name }) => name === token.name)
    if (spec === undefined) throw unknownOption(token.rawName, specs)
    given.set(spec.name, [...(given.get(spec.name) ?? []), checkedValue(token, spec)])
  }
  return Object.fromEntries(specs.map((spec) => [spec.name, optionValue(spec, given.get(spec.name))]))
}

function checkedValue(token: Extract<Token, { kind: 'option' }>, spec: Option): string {
  const { rawName, value, inlineValue } = token
  if (spec.value === undefined) {
    if (value !== undefined) throw usage(`Option ${rawName} takes no value.`)
    return ''
  }
  if (value === undefined || value === '')
    throw usage(`Option ${rawName} needs a value: ${rawName} ${spec.value}`)
  if (!inlineValue && value.length > 1 && value.startsWith('-'))
    throw usage(
      `Option ${rawName} needs a value. A value that begins with '-' is written --${spec.name}=${spec.value}`,
    )
  checkChoice(`--${spec.name}`, spec.choices, value)
  return value
}

function optionValue(spec: Option, given: readonly string[] | undefined): Value {
  if (spec.value === undefined) return given !== undefined
  if (spec.repeatable) return given ?? []
  const [value, ...more] = given ?? []
  if (value === undefined) return undefined
  if (more.length > 0) throw usage(`Option --${spec.name} is given ${more.length + 1} times.`)
  return spec.kind === 'duration' ? seconds(spec, value) : value
}

/** `0` and `none` are null: no limit. */
function seconds(spec: Option, text: string): number | null {
  const ms = durationOf(spec, text)
  if (ms === null || ms === 0) return null
  if (!Number.isSafeInteger(ms))
    throw usage(`Option --${spec.name}: '${printable(text)}' is too long; for no limit, write none.`)
  return Math.ceil(ms / 1000)
}

function durationOf(spec: Option, text: string): number | null {
  try {
    return parseDuration(text, spec.bare === 'minutes' ? 'm' : 's')
  } catch (error) {
    throw usage(`Option --${spec.name}: ${messageOf(error)}`)
  }
}

function readArguments(command: Command, given: readonly string[]): Record<string, Value> {
  const left = [...given]
  const take = (spec: Argument): Value => {
    if (left.length === 0 && !spec.optional)
      throw usage(`Missing argument <${spec.name}>: ${usageLine(command)}`)
    const taken = left.splice(0, spec.many ? left.length : 1)
    for (const value of taken) checkChoice(`<${spec.name}>`, spec.choices, value)
    return spec.many ? taken : taken[0]
  }
  const args = Object.fromEntries(command.arguments.map((spec) => [spec.name, take(spec)]))
  if (left[0] !== undefined) throw usage(`Unexpected argument '${printable(left[0])}': ${usageLine(command)}`)
  return args
}

/** `holdfast create <role> <prompt-file>` */
export const usageLine = (command: Command) =>
  ['holdfast', command.name, ...command.arguments.map(placeholder)].join(' ')

function placeholder(spec: Argument): string {
  const name = `${spec.choices?.join('|') ?? `<${spec.name}>`}${spec.many ? '…' : ''}`
  return spec.optional ? `[${name}]` : name
}

function checkChoice(what: string, choices: readonly string[] | undefined, value: string): void {
  if (choices === undefined || choices.includes(value)) return
  throw usage(`'${printable(value)}' is not a value of ${what}; choose one of ${choices.join(', ')}.`)
}

function unknownOption(rawName: string, specs: readonly Option[]): HoldfastError {
  const guess = didYouMean(
    rawName,
    specs.map(({ name }) => `--${name}`),
  )
  return usage(`Unknown option '${printable(rawName)}'.${guess}`)
}

function didYouMean(word: string, known: readonly string[]): string {
  const guess = nearest(word.slice(0, 80), known)
  return guess === undefined ? '' : ` Did you mean '${guess}'?`
}
const usage = (message: string) => new HoldfastError('USAGE', message)
