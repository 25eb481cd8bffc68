import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { homePaths } from '../../src/domain/names/home.ts'
import { asRunId, asTaskId, type RunId } from '../../src/domain/names/ids.ts'
import type { ExitRecord, LaunchFiles, StartRecord } from '../../src/ports/run/run-files.ts'
import { systemIds } from '../../src/system/ids.ts'
import { exec } from '../../src/system/processes/exec.ts'
import { LinuxProcesses } from '../../src/system/processes/processes.ts'
import { FileRunFiles } from '../../src/system/run-files/file-run-files.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'

export const SHELLS = ['dash', 'bash', 'busybox'] as const
export type ShellName = (typeof SHELLS)[number]
export const SHIM = new URL('../../src/system/run-files/shim.sh', import.meta.url).pathname

export type RunWorld = ReturnType<typeof runWorld>

/** A home with run files, and shims run by the given shell. Everything it started is gone when the test ends. */
export function runWorld(shell: ShellName = 'dash') {
  const root = tempDir()
  const home = homePaths(`${root}/home`)
  const files = new FileRunFiles({ home, shimSource: SHIM, ownCommand: [process.execPath, 'cli.cjs'] })
  const path = `${shellDirectory(root, shell)}:${process.env.PATH}`
  const work = `${root}/work`
  mkdirSync(work)
  writeFileSync(`${root}/output.log`, '')
  onTestFinished(() => endEverythingAbout(root))

  const world = {
    root,
    home,
    files,
    path,
    work,
    launch: (argv: readonly string[], more: Partial<LaunchFiles> = {}): LaunchFiles => ({
      runId: asRunId(systemIds.run()),
      taskId: asTaskId('20251118-153042-test'),
      argv,
      cwd: work,
      hearing: 'once',
      stdin: '',
      files: [],
      env: { PATH: process.env.PATH ?? '' },
      outputLog: `${root}/output.log`,
      sessionDir: `${root}/session`,
      ...more,
    }),
    /** Starts a shim as tmux would: leader of its own session, though without a terminal. */
    start: (argv: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
      spawn(argv[0]!, argv.slice(1), {
        detached: true,
        stdio: 'ignore',
        env: { PATH: world.path, TMUX: 'sock,1,0', TMUX_PANE: '%1', TERM_PROGRAM: 'tmux', LEAK: 'x', ...env },
      }),
    started: (runId: RunId): Promise<StartRecord> => waitFor('the pid file', () => files.started(runId)),
    exited: (runId: RunId): Promise<ExitRecord> => waitFor('the exit record', () => files.exit(runId)),
    /** Prepares and starts. */
    async run(argv: readonly string[], more: Partial<LaunchFiles> = {}) {
      const launch = world.launch(argv, more)
      const pane = world.start(await files.prepare(launch))
      return { runId: launch.runId, pane }
    },
    async events(runId: RunId): Promise<string> {
      const { bytes } = await files.readEvents(runId, 0, 10_000_000)
      return Buffer.from(bytes).toString()
    },
    /** The one process of a shim's stage. */
    stage: (name: 'keep' | 'window' | 'exec' | 'pane' | 'tty', runId: RunId): Promise<number> =>
      waitFor(
        `the ${name} stage`,
        () => commands().find(({ args }) => args[2] === name && args[3]?.endsWith(`/${runId}`))?.pid,
      ),
  }
  return world
}

export function programPath(name: string): string {
  const found = process.env.PATH?.split(':').find((directory) => existsSync(`${directory}/${name}`))
  if (found === undefined) throw new Error(`${name} not found: install it (apt install ${name})`)
  return `${found}/${name}`
}

function shellDirectory(root: string, shell: ShellName): string {
  const directory = `${root}/bin`
  mkdirSync(directory)
  symlinkSync(programPath(shell), `${directory}/sh`)
  return directory
}

/** Every process with its arguments. */
export function commands(): { pid: number; args: string[] }[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1)
    .flatMap((pid) => {
      const text = readIfThere(`/proc/${pid}/cmdline`)
      return text ? [{ pid, args: text.split('\0') }] : []
    })
}

export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export const gone = (pid: number) => waitFor(`process ${pid} to end`, () => !existsSync(`/proc/${pid}`))

export const marked = (pid: number) => readIfThere(`/proc/${pid}/environ`)?.includes('HOLDFAST_RUN=')

/** What any child of ours has open; whoever runs the tests may have left more than three. */
export async function plainDescriptors(): Promise<string[]> {
  const { stdout } = await exec(['ls', '/proc/self/fd'])
  return stdout.split('\n').filter((fd) => fd !== '' && fd !== '3')
}

/** Ends what names our temporary directory in its arguments, and the runs that lie in it. */
async function endEverythingAbout(root: string): Promise<void> {
  const processes = new LinuxProcesses()
  const runs = readIfDirectory(`${root}/home/runs`)
  await waitFor('our processes to end', async () => {
    const agents = [...(await processes.carrying(runs)).values()].flat().map(({ pid }) => pid)
    const shims = commands().filter(({ args }) => args.some((arg) => arg.startsWith(`${root}/`)))
    const left = [...new Set([...agents, ...shims.map(({ pid }) => pid)])].filter(
      (pid) => pid !== process.pid,
    )
    for (const pid of left) killIfThere(pid)
    return left.length === 0
  })
}

function readIfDirectory(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => !name.startsWith('.'))
  } catch {
    return []
  }
}

export function killIfThere(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended by itself.
  }
}
