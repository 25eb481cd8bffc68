// Owns the list of what a run did, from what it reports about its tools. Pure.
import type { RunStep } from '../../domain/task/run.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { AgentSays } from '../../ports/run/agent-driver.ts'
import type { Reading } from '../../ports/store/reading.ts'
import { openAt } from '../task/told-in-full.ts'

/** The next run is told the latest steps, shortened: more would not help it. */
const MOST_STEPS = 40
const MOST_DETAIL = 300

type Tool = AgentSays & { readonly kind: 'tool_began' | 'tool_ended' }

/** `earlier` are the run's steps so far: a tool may have begun many lines before it ends. */
export function stepsAfter(
  says: readonly AgentSays[],
  earlier: readonly RunStep[],
  now: number,
): Pick<Reading, 'tools' | 'progress' | 'steps'> {
  const steps = [...earlier]
  let tools = 0
  let progress = 0
  for (const said of says) {
    if (said.kind === 'tool_began' || (said.kind === 'tool_ended' && !endStep(said, steps, now))) {
      tools++
      steps.push(stepOf(said, now))
      if (steps.length > MOST_STEPS) steps.shift()
    }
    if (said.kind === 'finished') endAllSteps(steps, now)
    if ((said.kind === 'tool_ended' || said.kind === 'finished') && said.ok) progress++
  }
  const isNews = says.some(
    ({ kind }) => kind === 'tool_began' || kind === 'tool_ended' || kind === 'finished',
  )
  return { tools, progress, ...(isNews ? { steps } : {}) }
}

const stepOf = (said: Tool, now: number): RunStep => ({
  tool: said.tool,
  detail: shortened(redactSecrets(said.detail)),
  ok: said.kind === 'tool_ended' ? said.ok : null,
  ...(said.file === undefined ? {} : { file: said.file }),
  ...(said.call === undefined ? {} : { call: said.call }),
  at: now,
  ...(said.kind === 'tool_ended' ? { endedAt: now } : {}),
})

/** False when no open step is the one that ended. */
function endStep(said: Tool & { kind: 'tool_ended' }, steps: RunStep[], now: number): boolean {
  const open = steps.filter(({ ok }) => ok === null)
  const begun = open[openAt(said, open)]
  if (begun !== undefined) steps[steps.indexOf(begun)] = { ...begun, ok: said.ok, endedAt: now }
  return begun !== undefined
}

/** Steps that are still open at the end of a turn count as failed. */
function endAllSteps(steps: RunStep[], now: number): void {
  for (const [place, step] of steps.entries())
    if (step.ok === null) steps[place] = { ...step, ok: false, endedAt: now }
}

/** Does not cut a character in half. */
const shortened = (text: string) => text.slice(0, MOST_DETAIL).replace(/[\ud800-\udbff]$/, '')
