// Owns running one command of a contract: at most once at a time, in a run directory of its own, by the shim's keeper.
// So it survives the daemon, and the next daemon finds it or its exit record.
import { statSync } from 'node:fs'
import type { HomePaths } from '../../domain/names/home.ts'
import type { RunId } from '../../domain/names/ids.ts'
import { durationText } from '../../domain/text/duration.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Processes } from '../../ports/run/processes.ts'
import type { ExitRecord, LaunchFiles, RunFiles, StartRecord } from '../../ports/run/run-files.ts'
import { spawnDetached } from '../processes/exec.ts'

export type CommandWorld = {
  readonly home: HomePaths
  readonly runFiles: RunFiles
  readonly processes: Processes
  readonly clock: Clock
  /** The PATH in which the shim finds its own tools. */
  readonly path: string
}
export type Command = {
  readonly idOf: (start: number) => RunId
  readonly launch: Omit<LaunchFiles, 'runId'>
  readonly timeoutMs: number
}
/** `why` says how the command failed; null when it exited with 0. */
export type CommandOutcome = { readonly why: string | null; readonly output: string }

/** How often a command is started whose end is unknown each time (reboot, a killed keeper). */
const MOST_STARTS = 5
const LOOK_MS = 1000
/** After the command has died, its keeper still has to write the exit record. */
const RECORD_GRACE_MS = 2000
const RECORD_LOOK_MS = 20
const START_GRACE_MS = 10_000
const SWEEP_LIMIT_MS = 5000
const MOST_PRINTED_BYTES = 512 * 1024 * 1024
const TAIL_BYTES = 8 * 1024
const MS_PER_TICK = 10

export async function runCommand(
  command: Command,
  world: CommandWorld,
  signal?: AbortSignal,
): Promise<CommandOutcome> {
  for (let start = 1; start <= MOST_STARTS; start++) {
    const id = command.idOf(start)
    const why = (await begin(id, command, world))
      ? await untilEnd(id, command.timeoutMs, world, signal)
      : LOST
    // Ends also what the command left in the background, before anything else starts.
    await endMarked(id, world)
    if (why !== LOST) return { why, output: why === null ? '' : await outputTail(id, world) }
  }
  return { why: `was started ${MOST_STARTS} times, but never left an exit code`, output: '' }
}

/** False when it is certain that this start never happens. The claim decides, as it does for agents. */
async function begin(id: RunId, { launch }: Command, world: CommandWorld): Promise<boolean> {
  const { runFiles } = world
  await runFiles.prepare({ ...launch, runId: id })
  if (await runFiles.claim(id)) {
    await startKeeper(id, launch.argv, world)
    return true
  }
  return (await runFiles.exit(id)) !== undefined || !(await runFiles.voidStart(id))
}

/** What the shim's pane stage does once the claim is made, without a pane. */
async function startKeeper(id: RunId, argv: readonly string[], { home, path }: CommandWorld): Promise<void> {
  const dir = home.run(id)
  await spawnDetached(['sh', `${dir}/shim`, 'keep', dir, ...argv], { env: { PATH: path }, log: 'ignore' })
}

/**
 * Call it when the command's processes are ended. Its keeper writes the exit record a moment later, unless it was killed,
 * too: one that is written after the files were removed would be taken for that of a later run.
 */
export async function untilRecorded(id: RunId, { runFiles, clock }: CommandWorld): Promise<void> {
  const latest = clock.monotonic() + RECORD_GRACE_MS
  while (
    (await runFiles.started(id)) !== undefined &&
    (await runFiles.exit(id)) === undefined &&
    clock.monotonic() < latest
  )
    await pause(RECORD_LOOK_MS, clock)
}

/** It is not known how the command ended, or whether it began. */
const LOST = undefined
type End = CommandOutcome['why'] | typeof LOST

async function untilEnd(
  id: RunId,
  timeoutMs: number,
  world: CommandWorld,
  signal?: AbortSignal,
): Promise<End> {
  const { runFiles, clock } = world
  const began = clock.monotonic()
  let wake = () => {}
  let ended: string | undefined
  let missingSince: number | undefined
  const off = runFiles.watchExits((other) => other === id && wake())
  const onAbort = () => wake()
  signal?.addEventListener('abort', onAbort)
  try {
    for (;;) {
      if (signal?.aborted) {
        await endMarked(id, world)
        signal.throwIfAborted()
      }
      const woken = new Promise<void>((resolve) => (wake = resolve))
      const exit = await runFiles.exit(id)
      if (exit !== undefined) return ended ?? failureOf(exit, world)
      const now = clock.monotonic()
      const start = await runFiles.started(id)
      if (start === undefined) {
        if (now - began > START_GRACE_MS && (await runFiles.voidStart(id))) return LOST
      } else if (!isAlive(start, world)) {
        missingSince ??= now
        if (now - missingSince > RECORD_GRACE_MS) return ended ?? LOST
      }
      // It may have begun under an earlier daemon; after a suspend its ticks run ahead of the monotonic clock.
      const since = start === undefined ? began : Math.min(began, start.startTicks * MS_PER_TICK)
      const left = timeoutMs - (now - since)
      ended ??= overrun(id, left, timeoutMs, world)
      if (ended !== undefined) await endMarked(id, world)
      await Promise.race([woken, pause(Math.max(1, Math.min(LOOK_MS, left > 0 ? left : LOOK_MS)), clock)])
    }
  } finally {
    off()
    signal?.removeEventListener('abort', onAbort)
  }
}

function overrun(id: RunId, leftMs: number, timeoutMs: number, { home }: CommandWorld): string | undefined {
  if (leftMs <= 0) return `took longer than ${durationText(timeoutMs)} and was ended`
  const bytes = ['events.jsonl', 'stderr.log'].reduce(
    (sum, name) => sum + (statSync(`${home.run(id)}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
  return bytes > MOST_PRINTED_BYTES ? 'printed more than 512 MB and was ended' : undefined
}

const isAlive = (start: StartRecord, { processes }: CommandWorld) =>
  start.bootId === processes.bootId && processes.isAlive(start)

/** An exit record from before the last boot is about the shutdown of the machine, not about the command. */
function failureOf({ code, signal, bootId }: ExitRecord, { processes }: CommandWorld): End {
  if (bootId !== processes.bootId) return LOST
  if (signal !== null) return `was killed by SIG${signal}`
  if (code === 0) return null
  return code === 127 ? 'exited with code 127: there is no such program' : `exited with code ${code}`
}

/** The timer does not keep a daemon alive that stops. */
const pause = (ms: number, clock: Clock) => new Promise<void>((resolve) => void clock.after(ms, resolve))

/** Kills all processes with the run's marker, by identity, until there are none left. */
export async function endMarked(id: RunId, { processes, clock }: CommandWorld): Promise<void> {
  const deadline = clock.monotonic() + SWEEP_LIMIT_MS
  for (;;) {
    const left = (await processes.carrying([id])).get(id) ?? []
    if (left.length === 0 || clock.monotonic() > deadline) return
    for (const process of left) processes.signal(process, 'SIGKILL')
    await pause(20, clock)
  }
}

/** The end of the command's stdout and stderr: readable, without secrets. */
async function outputTail(id: RunId, { runFiles }: CommandWorld): Promise<string> {
  const { size } = await runFiles.readEvents(id, 0, 0)
  const { bytes } = await runFiles.readEvents(id, Math.max(0, size - TAIL_BYTES), TAIL_BYTES)
  const both = [Buffer.from(bytes).toString(), await runFiles.stderrTail(id, TAIL_BYTES)]
  return both
    .map(readable)
    .filter((text) => text !== '')
    .join('\n')
}

/** A line that was cut is dropped: half a secret would not be recognised. */
function readable(tail: string): string {
  const whole = Buffer.byteLength(tail) >= TAIL_BYTES ? tail.split('\n').slice(1).join('\n') : tail
  return redactSecrets(whole.replace(ESCAPES, '').replace(CONTROLS, '')).trim()
}
const ESCAPES = /\u001b(\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(\u0007|\u001b\\)?|[@-_])/g
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffd]/g
