// A world in which real agents are killed, refused and left, and their tasks go on.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { WhyJson } from '../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../src/protocol/json/task-json.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import type { AgentKind } from './agent-home.ts'
import type { Turn } from './conversation.ts'
import { kindsThat, worldWith } from './daemon-world.ts'
import type { Lab } from './lab.ts'

/** OpenCode on a busy machine needs a minute to show itself. */
export const PATIENCE_MS = 110_000
const QUICK = 'retries: 10\nbackoff.base: 50ms\nbackoff.cap: 1s\nwake.stagger: 50ms\n'

export async function recoveringWith(kind: AgentKind, lab: Lab, config = '') {
  impatient(lab)
  return worldWith(kind, lab, `${QUICK}${config}`)
}

/** Pi's own retries would take a quarter of a minute. */
function impatient(lab: Lab): void {
  const file = join(lab.home, '.pi/agent/settings.json')
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ ...settings, retry: { maxRetries: 1, baseDelayMs: 50 } }))
}

/** Which of a task's states fits; fails when it ends before. */
export const until = (world: World, id: string, what: string, fits: (task: TaskDetailJson) => boolean) =>
  waitFor(
    `${id}: ${what}`,
    async () => {
      const task = await world.status(id)
      if (fits(task)) return task
      if (task.completed_at !== null) throw new Error(`it ended before ${what}: ${task.reason}`)
      return undefined
    },
    PATIENCE_MS,
  ).catch(async (error) => {
    throw new Error(`${error.message}\n${await world.ok(['why', id])}`)
  })

export const untilPhase = (world: World, id: string, phase: string) =>
  until(world, id, phase, (task) => task.phase === phase)

export const untilSession = (world: World, id: string) =>
  until(world, id, 'its session', ({ agent_session_id }) => agent_session_id !== null)

/** The process that Holdfast started, of the task's present run. */
export const agentOf = (world: World, id: string) =>
  waitFor(
    `the agent of ${id}`,
    async () => {
      const { run_id } = await world.status(id)
      const file = join(world.home, 'runs', run_id ?? 'none', 'pid')
      if (!existsSync(file)) return undefined
      const pid = Number(readFileSync(file, 'utf8').split(' ')[0])
      return isAlive(pid) ? { pid, run: run_id! } : undefined
    },
    PATIENCE_MS,
  )

/** kill -9 of the first process alone, as the kernel does it when memory is short. */
export async function killAgent(world: World, id: string): Promise<void> {
  process.kill((await agentOf(world, id)).pid, 'SIGKILL')
}

/** Two tools. The first never ends by itself, and says so as long as it lives; the second comes after it. */
export const TWO_STEPS =
  'DO:shell{while :; do echo first >> steps.txt; sleep 0.1; done} DO:shell{echo second >> steps.txt} in two steps'

const steps = (lab: Lab) => {
  const file = join(lab.project, 'steps.txt')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

export const untilFirstStep = (lab: Lab) =>
  waitFor('the first tool to run', () => steps(lab).includes('first'), PATIENCE_MS)

/** A tool can be at work a moment before its agent says so. Who is killed in between begins anew, told what was done. */
export const untilToolTold = (world: World, id: string) =>
  waitFor(
    `a tool call of ${id}`,
    async () => {
      const { runs } = JSON.parse(await world.ok(['why', id, '--json'])) as WhyJson
      return (runs.at(-1)?.tools ?? 0) > 0
    },
    PATIENCE_MS,
  )

/** OpenCode tells of a tool when it has ended, which the first step never does. */
const tellTools = kindsThat(({ can }) => can.toolsTold.headless !== 'when_they_end')

/** The first tool runs, and its agent has said so where it can: from now on its session is resumed. */
export async function untilFirstStepTold(kind: AgentKind, world: World, id: string, lab: Lab): Promise<void> {
  await untilFirstStep(lab)
  if (tellTools.includes(kind)) await untilToolTold(world, id)
}

/** The first tool was dead before the second began, and nothing was done twice. */
export const expectTwoSteps = (lab: Lab) => expect(steps(lab)).toMatch(/^(first\n)+second\n$/)

/** The last conversation that the model was shown; helpers of the agents' own have no tools. */
export const lastTurns = (lab: Lab): readonly Turn[] =>
  lab.requests().findLast(({ tools }) => tools.length > 0)?.turns ?? []

/** How often the user said this, in that conversation. */
export const saidTo = (lab: Lab, words: string) =>
  lastTurns(lab).filter(({ role, text }) => role === 'user' && text.includes(words)).length
