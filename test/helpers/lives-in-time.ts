// Tasks that live by the supervisor's own decisions, with the real store, in time that a test makes pass: only their processes are not real.

import { onTestFinished } from 'vitest'
import { moveTask } from '../../src/changes/move-task.ts'
import { asRunId, type TaskId } from '../../src/domain/names/ids.ts'
import type { FailureClass } from '../../src/domain/run/failure-class.ts'
import { mergeConfig } from '../../src/domain/settings/merge-config.ts'
import type { Task } from '../../src/domain/task/task.ts'
import { endFacts } from '../../src/supervisor/ending/end-facts.ts'
import { personDecides } from '../../src/supervisor/orders/person-decides.ts'
import { decideEnd } from '../../src/supervisor/recovering/decide-end.ts'
import { heldBack } from '../../src/supervisor/recovering/gates.ts'
import { verdictChange } from '../../src/supervisor/recovering/verdict-change.ts'
import { wakeDueTasks } from '../../src/supervisor/recovering/wake-tasks.ts'
import { createTask } from '../../src/supervisor/starting/create-task.ts'
import { watchTask } from '../../src/supervisor/task/watch-task.ts'
import { anExitRecord, anObservation } from '../builders/observation.ts'
import { aReading } from '../builders/reading.ts'
import { aRunDraft } from '../builders/run.ts'
import { startCore } from './core-world.ts'

/** Each of its runs takes so long. A healthy one makes progress in the middle of it, and then finishes. */
export type Life = {
  readonly ms: number
  /** How each run ends, or those until this time: by such a failure, by a signal, or well. */
  readonly dies: FailureClass | 'signal' | null
  readonly untilMs?: number
}

export async function livesInTime(lives: readonly Life[], slots: number) {
  // Looks at the runs go on beside the test, as slow as the machine is: none of them may give up a start.
  const { supervisor, core, clock, request } = await startCore({
    'wake.stagger': 100,
    'launch.grace': Number.MAX_SAFE_INTEGER,
  })
  onTestFinished(() => supervisor.stop())
  let mono = clock.monotonic()
  clock.monotonic = () => mono
  const begun = clock.now()
  const ids: TaskId[] = []
  for (const _ of lives) ids.push((await createTask(request('x'), mergeConfig([]).config, core)).id)
  const lifeOf = (id: TaskId) => lives[ids.indexOf(id)]!
  const running = new Map<
    TaskId,
    { readonly halfway: number; readonly end: number; hasMadeProgress: boolean }
  >()
  const timeline: string[] = []
  const note = (text: string) => timeline.push(`${(clock.now() - begun) / 1000}s ${text}`)
  const ends = ({ dies, untilMs }: Life) =>
    dies !== null && clock.now() - begun < (untilMs ?? Number.POSITIVE_INFINITY) ? dies : null

  async function launchWhatMay(): Promise<void> {
    const isHeld = heldBack(await core.store.gates())
    for (const task of await core.store.queue(100)) {
      if (running.size >= slots) return
      if (!isHeld(task)) await launch(task.id)
    }
  }

  async function launch(id: TaskId): Promise<void> {
    const at = clock.now()
    const number = (await core.store.runsOf(id)).length + 1
    const runId = asRunId(`${id}-${number}`)
    const how = number === 1 ? 'start' : 'fresh'
    await core.commit({
      newRun: aRunDraft(id, { id: runId, number, createdAt: at, how }),
      task: moveTask({
        id,
        from: 'pending',
        event: 'launched',
        reason: '',
        evidence: [],
        at,
        set: { runId, startedAt: at },
      }),
    })
    await watchTask(id, runId, core)
    const { ms } = lifeOf(id)
    running.set(id, { halfway: at + Math.floor(ms / 2), end: at + ms, hasMadeProgress: false })
    note(`${ids.indexOf(id)} starts`)
  }

  async function makeProgress(id: TaskId): Promise<void> {
    running.get(id)!.hasMadeProgress = true
    if (ends(lifeOf(id)) !== null) return
    const watch = core.watched.get(id)!
    const reading = aReading({ id, runId: watch.run.id }, { offset: 0, outputLength: 0, progress: 1 })
    await core.commit({ reading })
  }

  async function end(id: TaskId): Promise<void> {
    running.delete(id)
    const watch = core.watched.get(id)!
    const how = ends(lifeOf(id))
    const { run } = watch
    const failure = how === 'signal' ? null : how
    watch.run = { ...run, failure, result: how === null ? { ok: true, text: 'done' } : null }
    const exit = anExitRecord({
      code: how === null ? 0 : how === 'signal' ? null : 1,
      signal: how === 'signal' ? 'SEGV' : null,
      atMs: clock.now(),
      bootId: core.processes.bootId,
      hangup: false,
    })
    const seen = anObservation({ start: undefined, exit, alive: false })
    const facts = await endFacts(watch, seen, core)
    const verdict = decideEnd(facts)
    const set = { endedAt: clock.now(), exitCode: exit.code, exitSignal: exit.signal, failure: facts.failure }
    await core.commit({
      ...(await verdictChange(watch, verdict, facts, {}, core)),
      run: { id: run.id, from: run.state, event: 'exited', set },
    })
    note(`${ids.indexOf(id)} ends: ${verdict.rule}, ${verdict.after.kind}`)
  }

  const task = async (n: number): Promise<Task> => (await core.store.task(ids[n]!))!

  /** One moment: what is due happens, who waits is looked at, who may start starts. Returns when the next one is. */
  async function moment(): Promise<number | null> {
    const now = clock.now()
    for (const [id, { halfway, hasMadeProgress }] of running)
      if (!hasMadeProgress && halfway <= now) await makeProgress(id)
    for (const [id, run] of running) if (run.end <= now) await end(id)
    const times = [await wakeDueTasks(core)]
    await launchWhatMay()
    for (const { halfway, end: ending, hasMadeProgress } of running.values())
      times.push(hasMadeProgress ? ending : Math.min(halfway, ending))
    const next = times.filter((at) => at !== null)
    return next.length === 0 ? null : Math.min(...next)
  }

  return {
    task,
    timeline,
    core,
    elapsedMs: () => clock.now() - begun,
    retry: (n: number) => personDecides(ids[n]!, { choice: 'retry', by: 'ada' }, core),
    /** Lets time pass until this holds, or nothing more would happen, or it is too late. */
    async until(holds: () => Promise<boolean>, latestMs: number): Promise<boolean> {
      for (;;) {
        const due = await moment()
        if (await holds()) return true
        // Whoever looked may have done something.
        const next = due ?? (await moment())
        if (next === null || clock.now() - begun > latestMs) return false
        const by = Math.max(1, next - clock.now())
        clock.wall += by
        mono += by
      }
    },
  }
}
