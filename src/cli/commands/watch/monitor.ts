import { HoldfastError } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { decisive, type FinalState, gaveUp } from '../../../domain/task/final-state.ts'
import { durationText } from '../../../domain/text/duration.ts'
import type { MonitoredJson, MonitorJson, MonitorLookJson } from '../../../protocol/json/monitor-json.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { onInterrupt } from '../../interrupt.ts'
import { csvRow } from '../../render/print/csv.ts'
import { doingText, outcomeLines, progressLine } from '../../render/text/monitor-text.ts'
import { type Step, verifyOutcome } from '../../waiting/verify-outcome.ts'
import { type Waited, waitForTasks } from '../../waiting/wait-for-tasks.ts'

type Options = InputOf<'monitor'>['options']
const DEFAULT_TIMEOUT_SECONDS = 60 * 60

/** One blocking call: returns when all sessions are done, or one needs a decision. */
export async function monitor({ args, options }: InputOf<'monitor'>, context: Context): Promise<number> {
  checkOptions(options, context.json)
  const { 'max-polls': polls, cursor, ack, any, timeout = DEFAULT_TIMEOUT_SECONDS } = options
  const timeoutMs = timeout === null ? null : timeout * 1000
  const maxPolls = numberOf('max-polls', polls, 1) ?? Number.POSITIVE_INFINITY
  const ask = { ids: [...args.id], any, until: options.until, cursor, ack: numberOf('ack', ack, 0) }
  onInterrupt(() => context.say('Stopped waiting. No session was stopped.'))
  const onLook = options.verbose ? progress(context) : () => {}
  const waited = await waitForTasks({ ask, timeoutMs, maxPolls, onLook }, context)
  const patience = waited.gaveUp === 'polls' ? pollsText(maxPolls) : durationText(timeoutMs)
  const ends = waited.look.tasks.map((task) => withTimeout(task, waited, patience))
  const step = stepOf(options, context)
  const tasks = step === null ? ends : await Promise.all(ends.map((one) => verifyOutcome(one, step, context)))
  const about = tasks[decisive(tasks.map(({ final_state }) => final_state))]!
  print(about, tasks, waited.look, options, context)
  if (options.bell) context.ring()
  return exitCodes[about.final_state ?? 'timeout'] ?? 2
}

const exitCodes: Partial<Record<FinalState, number>> = { completed: 0, not_found: 1 }
const pollsText = (most: number) => (most === 1 ? '1 poll' : `${most} polls`)

function checkOptions({ any, all, csv, cursor, ack }: Options, json: boolean): void {
  if (any && all) throw new HoldfastError('USAGE', 'Choose one of --any and --all.')
  if (csv && json) throw new HoldfastError('USAGE', 'Choose one of --csv and --json.')
  if (ack !== undefined && cursor === undefined)
    throw new HoldfastError('USAGE', '--ack can only be used together with --cursor.')
}

function numberOf(name: string, given: string | undefined, least: number): number | undefined {
  if (given === undefined) return undefined
  if (/^\d{1,15}$/.test(given) && Number(given) >= least) return Number(given)
  throw new HoldfastError(
    'USAGE',
    `--${name} takes a number of at least ${least}, not '${printable(given)}'.`,
  )
}

/** Null unless step, story and state file are given: only then can the step be verified. */
function stepOf(options: Options, { path }: Context): Step | null {
  const { workflow, 'story-key': story, 'state-file': file } = options
  if (workflow === undefined || story === undefined || file === undefined) return null
  return { step: workflow, story, stateFile: path(file) }
}

/** Prints the line of a session when it differs from the last one that was printed. */
function progress({ say }: Context): (look: MonitorLookJson) => void {
  const said = new Map<string, string>()
  return ({ tasks }) => {
    for (const task of tasks) {
      const line = progressLine(task, Date.now())
      if (task.final_state === null && said.get(task.session_id) !== line) say(line)
      said.set(task.session_id, line)
    }
  }
}

/** When the waiting ended by a timeout, that is the final state of all sessions that still go on. */
function withTimeout(task: MonitoredJson, { gaveUp: gave }: Waited, patience: string): MonitoredJson {
  if (gave === null || task.final_state !== null) return task
  const { state, reason } = gaveUp(patience, doingText(task, Date.now()))
  return { ...task, final_state: state, exit_reason: reason }
}

function print(
  about: MonitoredJson,
  tasks: MonitoredJson[],
  { cursor, events }: MonitorLookJson,
  options: Options,
  context: Context,
): void {
  if (options.csv)
    for (const { final_state, output_file, exit_reason } of tasks)
      context.out(csvRow([final_state, output_file, exit_reason]))
  else {
    const answer: MonitorJson = {
      ...about,
      ...(tasks.length > 1 && { tasks }),
      ...(cursor !== null && { cursor, events }),
      workflow: options.workflow,
      story_key: options['story-key'],
      state_file: options['state-file'],
    }
    context.show(answer, () => tasks.flatMap((task) => outcomeLines(task, context.paint)))
  }
}
