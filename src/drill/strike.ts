// Owns one blow: a task is brought to the middle of its work, struck, watched until it ends, and judged.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../domain/errors.ts'
import type { Blow, Struck } from './blows.ts'
import { beginTask, type HeldTask, letGo, startOf, untilEnded, untilHeld, untilResumed } from './held-task.ts'
import { eventTimes, measure, type Times } from './measure.ts'
import type { BlowJson } from './report.ts'
import { leftOvers, type Scratch } from './scratch.ts'
import { until } from './until.ts'
import { type Found, whatWasLost } from './verdict.ts'
import { type DrillAgent, FILES, promptFor } from './work.ts'

const GONE_WITHIN_MS = 15_000

/** Throws when the task could not be started. What goes wrong after that is part of the verdict. */
export async function strike(blow: Blow, agent: DrillAgent, scratch: Scratch): Promise<BlowJson> {
  const id = await beginTask(scratch, agent, blow.trouble)
  const row = { name: blow.name, about: blow.about, why: null }
  try {
    const task = await untilHeld(scratch, id)
    const struck = await blow.act(task)
    if (blow.agent === 'is_resumed') await untilResumed(task)
    letGo(task)
    const { times, found } = await outcome(task, struck, promptFor(agent, blow.trouble), agent)
    const lost = whatWasLost(found, blow.agent)
    return { ...row, verdict: lost.length === 0 ? 'pass' : 'fail', ...figures(times, blow), lost }
  } catch (error) {
    return { ...row, verdict: 'fail', detect_ms: null, resume_ms: null, lost: [messageOf(error)] }
  }
}

/** When the agent recovered by itself, there was nothing to detect. */
const figures = ({ detectMs, resumeMs }: Times, { agent }: Blow) => ({
  detect_ms: agent === 'either' && resumeMs === null ? null : detectMs,
  resume_ms: resumeMs,
})

async function outcome(
  task: HeldTask,
  struck: Struck,
  prompt: string,
  agent: DrillAgent,
): Promise<{ times: Times; found: Found }> {
  const { scratch, id } = task
  const ended = await untilEnded(task)
  const times = measure(struck, await eventTimes(scratch, id), startOf(scratch, ended))
  const { runs } = await scratch.daemon.call('GET /api/tasks/:id/why', { id })
  // A task that failed may have no result.
  const result = await scratch.daemon.call('GET /api/tasks/:id/result', { id }).catch(() => null)
  const found = {
    status: ended.status,
    reason: ended.reason,
    result: JSON.stringify(result?.result ?? null),
    work: readFileSync(join(scratch.project, FILES.work), 'utf8'),
    prompt,
    heard: agent === 'scripted' ? heardIn(scratch.sessions) : null,
    runs,
    leftOvers: await takeDown(scratch),
  }
  return { times, found }
}

/** Stops the daemon, as `holdfast down` does. Returns what is still there after a while, and should not be. */
async function takeDown(scratch: Scratch): Promise<string[]> {
  await scratch.daemon.call('POST /api/shutdown')
  const isGone = () => (leftOvers(scratch).length === 0 ? true : undefined)
  await until('the daemon to stop', isGone, GONE_WITHIN_MS).catch(() => undefined)
  return leftOvers(scratch)
}

/** The scripted agent notes every prompt before it does anything about it. */
function heardIn(sessions: string): string[] {
  return readdirSync(sessions).flatMap((name) =>
    readFileSync(join(sessions, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => (JSON.parse(line) as { heard?: string }).heard ?? []),
  )
}
