// Owns a person's word on a task that does not go on by itself: resume it, begin anew, or close it.
import { HoldfastError } from '../domain/errors.ts'
import { saw } from '../domain/evidence.ts'
import { CONTINUATION, type GoOn } from '../domain/go-on.ts'
import { HOLDFAST_ASKS } from '../domain/holdfast-question.ts'
import type { TaskId } from '../domain/ids.ts'
import type { Task } from '../domain/task.ts'
import { isEnded } from '../domain/task-machine.ts'
import type { Change, TaskMove } from '../ports/store-changes.ts'
import type { Core, Watch } from './core.ts'
import { driverOf } from './driver-of.ts'
import { beginAnew, canResume } from './go-on-after.ts'
import { orderEnd } from './kill-task.ts'
import { isQuarantined } from './quarantine.ts'
import type { PersonChoice } from './recovery.ts'
import { showTask } from './show-task.ts'
import { lookAgain, refresh } from './watch-task.ts'

export type PersonsWord = {
  readonly choice: PersonChoice
  readonly by: string
  /** Said instead of the usual words. */
  readonly prompt?: string
  /** An ended task's environment is gone: it goes on in that of who brings it back. */
  readonly env?: Readonly<Record<string, string>>
}

export async function personDecides(id: TaskId, word: PersonsWord, core: Core): Promise<Task> {
  await core.alone(id, () => carryOut(id, word, core))
  await core.scheduleSoon()
  return (await core.store.task(id))!
}

async function carryOut(id: TaskId, word: PersonsWord, core: Core): Promise<void> {
  const task = (await core.store.task(id))!
  const watch = core.watched.get(id)
  if (watch !== undefined && isQuarantined(watch.run)) return leaveBehind(watch, word, core)
  if (word.choice === 'close') return close(task, word, core)
  if (isEnded(task.status)) return reopen(task, word, core)
  if (core.watched.has(id)) return toLiveRun(task, word, core)
  if (task.status === 'pending') throw goesOnAlready(task)
  await store(task, 'requeued', word, {}, core)
}

async function close({ id, status }: Task, { by }: PersonsWord, core: Core): Promise<void> {
  if (isEnded(status)) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${id} has ended.`)
  await orderEnd(id, { by, reason: `closed by ${by}` }, core)
}

/** A quarantined run is not spoken to: it is ended, unread. Then the task goes on without it, or ends. */
async function leaveBehind(watch: Watch, word: PersonsWord, core: Core): Promise<void> {
  const { task } = watch
  const { by, choice } = word
  const at = core.clock.now()
  const order = { by, reason: `${choice} by ${by}`, at }
  const row = audit(task, choice, by, at)
  if (choice === 'close') await core.store.orderStop(task.id, { kind: 'kill', ...order }, row)
  else {
    const goOn = await goOnBy(task, word, core)
    await core.store.orderRestart(task.id, { kind: choice, ...order, goOn, mode: null }, row)
  }
  await core.store.record(await answered(task, choice, by, at, core))
  await refresh(watch, core)
  core.poke(task.id)
}

async function reopen(task: Task, word: PersonsWord, core: Core): Promise<void> {
  if (word.env === undefined) throw new HoldfastError('TASK_NOT_ACTIVE', `Session ${task.id} has just ended.`)
  await core.store.markUntidied(task.id)
  await core.handoff.reopen(task, word.env)
  const none = { endedAt: null, exitCode: null, exitSignal: null, stop: null, verification: null }
  // Its working time counts anew, or one that ran out of it would be ended at once.
  const anew = { ...none, workedMs: 0 }
  await store(task, 'reopened', word, anew, core)
}

/** Its run lives: it was interrupted in its terminal, or waits for a limit. It is only told to go on. */
async function toLiveRun(task: Task, { by, choice, prompt }: PersonsWord, core: Core): Promise<void> {
  const { phase } = task
  if (phase === 'stuck') return restart(task, by, core)
  const waits = phase === 'stopped_by_person' || phase === 'parked' || phase === 'backing_off'
  if (!waits || choice === 'retry') throw goesOnAlready(task)
  const at = core.clock.now()
  await core.store.record({
    task: { ...move(task, by, at), event: 'turn_began', set: { gate: null, retries: 0 } },
    input: { taskId: task.id, kind: 'continuation', text: prompt ?? CONTINUATION, by, at },
    ...(await answered(task, choice, by, at, core)),
    audit: audit(task, choice, by, at),
  })
  const watch = core.watched.get(task.id)
  if (watch !== undefined) await refresh(watch, core)
  lookAgain(task.id, core)
}

/** A run without life is ended first. */
async function restart(task: Task, by: string, core: Core): Promise<void> {
  const at = core.clock.now()
  const order = { kind: 'resume', by, reason: `brought back by ${by}`, at, goOn: null, mode: null } as const
  await core.store.orderRestart(task.id, order, audit(task, 'resume', by, at))
  const watch = core.watched.get(task.id)
  if (watch !== undefined) await refresh(watch, core)
  core.poke(task.id)
}

async function store(
  task: Task,
  event: 'requeued' | 'reopened',
  word: PersonsWord,
  set: TaskMove['set'],
  core: Core,
): Promise<void> {
  const { by, choice } = word
  const at = core.clock.now()
  const goOn = await goOnBy(task, word, core)
  const session = goOn.how === 'resume' ? {} : { sessionId: null }
  await core.store.record({
    task: {
      ...move(task, by, at),
      event,
      set: { ...set, ...session, goOn, retries: 0, gate: null, restart: null, runId: null },
    },
    ...(await answered(task, choice, by, at, core)),
    audit: audit(task, choice, by, at),
  })
  core.bell.ring(task.id)
  await showTask((await core.store.task(task.id))!, core)
}

/** A retry leaves the session behind. */
async function goOnBy(task: Task, { choice, prompt }: PersonsWord, core: Core): Promise<GoOn> {
  const [runs, inputs] = await Promise.all([core.store.runsOf(task.id), core.store.inputs(task.id)])
  const between = { task, runs, inputs, driver: driverOf(task, core), sessionIsLost: false }
  if (choice === 'resume' && canResume(between)) return { how: 'resume', say: prompt ?? CONTINUATION }
  const anew = beginAnew(between)
  return prompt === undefined ? anew : { ...anew, say: `${anew.say}\n${prompt}` }
}

const move = ({ id, status }: Task, by: string, at: number) => ({
  id,
  from: status,
  reason: `brought back by ${by}`,
  evidence: [saw('person', by)],
  at,
})

const audit = ({ id }: Task, choice: PersonChoice, by: string, at: number) => ({
  at,
  kind: `task_${choice}`,
  taskId: id,
  actor: by,
  detail: choice,
})

/** A question of ours is answered by the deed. */
async function answered(
  task: Task,
  answer: string,
  by: string,
  at: number,
  { store: { openQuestions } }: Core,
): Promise<Pick<Change, 'answered'>> {
  const own = (await openQuestions(task.id)).find(({ ref }) => ref === HOLDFAST_ASKS)
  return own === undefined ? {} : { answered: { taskId: task.id, number: own.number, answer, by, at } }
}

const goesOnAlready = ({ id, status, phase }: Task) =>
  new HoldfastError('TASK_ACTIVE', `Session ${id} goes on already (${status}${phase ? `, ${phase}` : ''}).`)
