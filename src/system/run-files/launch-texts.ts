// Owns the files of a run directory as they are before the shim starts.
import { HoldfastError } from '../../domain/errors.ts'
import type { HomePaths } from '../../domain/names/home.ts'
import { checkName, printable } from '../../domain/names/names.ts'
import type { Hearing, LaunchFiles } from '../../ports/run/run-files.ts'
import { encodeEnv, envLine } from './env-file.ts'
import { withOwnCommand } from './own-command.ts'

/** The folder of a run directory with the settings files of the agent. */
export const FILES_DIR = 'files'

/** The shim sees by this file how the agent gets its input. */
const stdinFile = (hearing: Hearing) => (hearing === 'once' ? 'prompt' : 'in.jsonl')

/** The file of a run directory by which the agent proves which run it is. */
export const TOKEN_FILE = 'token'
/** The file of a run directory that says whether the tools of Holdfast reached the agent. */
export const BRIDGE_FILE = 'bridge'

type Where = Pick<HomePaths, 'home' | 'bin' | 'run'>

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
    // Created now, so that only we can read them, whatever umask the agent gets.
    ...['events.jsonl', 'stderr.log', 'pid.new'].map((name) => [name, ''] as const),
    ...(hearing === 'lines' ? [['feeder', ''] as const] : []),
    ...(launch.isBridged ? [[BRIDGE_FILE, 'unknown\n'] as const] : []),
    ...(launch.token === undefined ? [] : [[TOKEN_FILE, launch.token] as const]),
    ...launch.files.map(({ name, content }) => [`${FILES_DIR}/${checkName('File', name)}`, content] as const),
  ]
}

function checkArgv(argv: readonly string[]): void {
  if (!argv[0] || argv[0].startsWith('-') || argv.some((arg) => arg.includes('\0')))
    throw new HoldfastError('INVALID_REQUEST', `Not a command line: ${printable(argv.join(' '))}`)
}

/** Without TERM for an agent in a pane: the shim passes on the one that tmux gave it. */
function environmentOf(launch: LaunchFiles, home: Where): string {
  const { TERM, PATH, ...others } = launch.env
  const withTerm = TERM === undefined || launch.hearing === 'terminal' ? others : { ...others, TERM }
  const path = withOwnCommand(home.bin, PATH)
  return encodeEnv(path === undefined ? withTerm : { ...withTerm, PATH: path }) + ourLines(launch, home)
}

/** Our variables come last, so that they win. PWD is the directory that the shim changes to. */
function ourLines({ runId, taskId, sessionDir, cwd, token }: LaunchFiles, { home, run }: Where): string {
  const ours = {
    HOLDFAST_HOME: home,
    HOLDFAST_RUN: runId,
    HOLDFAST_TASK_ID: taskId,
    HOLDFAST_SESSION_DIR: sessionDir,
    ...(token === undefined ? {} : { HOLDFAST_TOKEN_FILE: `${run(runId)}/${TOKEN_FILE}` }),
    PWD: cwd,
  }
  return Object.entries(ours)
    .map(([name, value]) => `${envLine(name, value)}\n`)
    .join('')
}
