// Owns one call of `holdfast`: parse, load only what is needed, run, and report errors.
import { resolve } from 'node:path'
import { defaultHome } from '../domain/names/home.ts'
import { VERSION } from '../domain/names/version.ts'
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
  const parsed = parseCommand(argv)
  if (parsed.kind === 'help') return await help(parsed)
  if (parsed.kind === 'front_page') return await frontPage(homeOf(parsed.options))
  if (parsed.kind === 'version') return version(wantsJson(argv))
  return await command(parsed)
}

async function command(parsed: Extract<Parsed, { kind: 'command' }>): Promise<number> {
  const { args, options } = parsed
  const [{ createContext }, execute] = await Promise.all([import('./context.ts'), parsed.command.load()])
  const context = createContext({ home: homeOf(options), json: options.json === true })
  // The parser made the input from the row that also gives its type.
  return await execute({ args, options } as never, context)
}

const homeOf = ({ home }: Readonly<Record<string, unknown>>) =>
  resolve(typeof home === 'string' ? home : defaultHome(process.env))

async function help({ topic, all }: Extract<Parsed, { kind: 'help' }>): Promise<number> {
  const { helpFor } = await import('./help.ts')
  process.stdout.write(`${helpFor(topic, { all })}\n`)
  return 0
}

/** What needs a person comes last, right above the next prompt of the shell. */
async function frontPage(home: string): Promise<never> {
  const [{ helpFor }, { newsNow }] = await Promise.all([import('./help.ts'), import('./front-page.ts')])
  const page = `${[helpFor([]), ...(await newsNow(home))].join('\n')}\n`
  await new Promise<void>((written) => process.stdout.write(page, () => written()))
  // A daemon that has not answered yet would keep the process.
  process.exit(0)
}

function version(json: boolean): number {
  process.stdout.write(json ? `${JSON.stringify({ version: VERSION })}\n` : `holdfast ${VERSION}\n`)
  return 0
}

/** Works also when the rest of the line is wrong: a program that asked for JSON gets JSON. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  return argv.slice(0, end === -1 ? argv.length : end).includes('--json')
}
