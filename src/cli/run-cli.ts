// Owns one call of `holdfast`: parse, load only what is needed, run, and turn errors into words.
import { resolve } from 'node:path'
import { defaultHome } from '../domain/home.ts'
import { VERSION } from '../domain/version.ts'
import { type Parsed, parseCommand } from './parse-command.ts'
import { reportError } from './report-error.ts'

export async function runCli(argv: readonly string[]): Promise<number> {
  try {
    return await run(argv)
  } catch (error) {
    const { exit, stdout, stderr } = reportError(error, wantsJson(argv))
    process.stdout.write(stdout)
    process.stderr.write(stderr)
    return exit
  }
}

async function run(argv: readonly string[]): Promise<number> {
  if (argv.length === 0) return await help([], process.stderr, 1)
  const parsed = parseCommand(argv)
  if (parsed.kind === 'help') return await help(parsed.topic, process.stdout, 0)
  if (parsed.kind === 'version') return version(wantsJson(argv))
  return await command(parsed)
}

async function command(parsed: Extract<Parsed, { kind: 'command' }>): Promise<number> {
  const { args, options } = parsed
  const [{ createContext }, execute] = await Promise.all([import('./context.ts'), parsed.command.load()])
  const home = resolve(typeof options.home === 'string' ? options.home : defaultHome(process.env))
  const context = createContext({ home, json: options.json === true })
  // The parser made it from the same row that types it.
  return await execute({ args, options } as never, context)
}

async function help(topic: readonly string[], stream: NodeJS.WriteStream, exit: number): Promise<number> {
  const { helpFor } = await import('./help.ts')
  stream.write(`${helpFor(topic)}\n`)
  return exit
}

function version(json: boolean): number {
  process.stdout.write(json ? `${JSON.stringify({ version: VERSION })}\n` : `holdfast ${VERSION}\n`)
  return 0
}

/** Also when the rest of the line is wrong: a program that asked for JSON gets JSON. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json')
}
