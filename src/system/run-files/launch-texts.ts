// Owns what lies in a run directory before its shim starts.
import { HoldfastError } from '../../domain/errors.ts'
import type { HomePaths } from '../../domain/names/home.ts'
import { checkName, printable } from '../../domain/names/names.ts'
import type { Hearing, LaunchFiles } from '../../ports/run-files.ts'
import { encodeEnv, envLine } from './env-file.ts'
import { withOwnCommand } from './own-command.ts'

/** Where the agent's own settings lie. */
export const FILES_DIR = 'files'

/** The shim knows by this file how its agent hears. */
const stdinFile = (hearing: Hearing) => (hearing === 'once' ? 'prompt' : 'in.jsonl')

type Where = Pick<HomePaths, 'home' | 'bin'>

/** Each file's name and content. Throws for what no shim could start. */
export function launchTexts(
  launch: LaunchFiles,
  home: Where,
): readonly (readonly [name: string, content: string])[] {
  const { runId, taskId, argv, cwd, hearing, sessionDir } = launch
  checkArgv(argv)
  return [
    ['launch.json', `${JSON.stringify({ runId, taskId, argv, cwd, hearing, sessionDir }, null, 2)}\n`],
    [stdinFile(hearing), launch.stdin],
    ['env', environmentOf(launch, home)],
    // Made before they are needed, so that they are ours alone whatever umask the agent gets.
    ...['events.jsonl', 'stderr.log', 'pid.new'].map((name) => [name, ''] as const),
    ...(hearing === 'lines' ? [['feeder', ''] as const] : []),
    ...launch.files.map(({ name, content }) => [`${FILES_DIR}/${checkName('File', name)}`, content] as const),
  ]
}

function checkArgv(argv: readonly string[]): void {
  if (!argv[0] || argv[0].startsWith('-') || argv.some((arg) => arg.includes('\0')))
    throw new HoldfastError('INVALID_REQUEST', `Not a command line: ${printable(argv.join(' '))}`)
}

/** In a pane the shim hands on the TERM that tmux gave it. */
function environmentOf(launch: LaunchFiles, home: Where): string {
  const { TERM, PATH, ...others } = launch.env
  const withTerm = TERM === undefined || launch.hearing === 'terminal' ? others : { ...others, TERM }
  const path = withOwnCommand(home.bin, PATH)
  return encodeEnv(path === undefined ? withTerm : { ...withTerm, PATH: path }) + ourLines(launch, home)
}

/** Last, so that they win. PWD is where the shim goes to. */
function ourLines({ runId, taskId, sessionDir, cwd }: LaunchFiles, { home }: Where): string {
  const ours = {
    HOLDFAST_HOME: home,
    HOLDFAST_RUN: runId,
    HOLDFAST_TASK_ID: taskId,
    HOLDFAST_SESSION_DIR: sessionDir,
    PWD: cwd,
  }
  return Object.entries(ours)
    .map(([name, value]) => `${envLine(name, value)}\n`)
    .join('')
}
