import { expect, test } from 'vitest'
import { claudeDriver } from '../../../src/agents/claude/driver.ts'
import { inputsAsHeard } from '../../../src/delivery/typing/heard-in-box.ts'
import type { Input } from '../../../src/domain/task/input.ts'
import type { Change } from '../../../src/ports/store/commits.ts'
import { anInput } from '../../builders/input.ts'
import { inPhase } from '../../builders/phases.ts'
import { aTask } from '../../builders/task.ts'
import { aWatch } from '../../builders/watch.ts'

/** An agent in its terminal tells that it heard `do it`, when its pane is gone. Returns what is stored of the input. */
async function heardOf(entering: (run: Input['runId']) => Partial<Input>) {
  const watch = aWatch({ task: aTask(inPhase.working(), { mode: 'interactive' }) })
  const input = anInput({ text: 'do it', saidAt: null, runId: null, ...entering(watch.run.id) })
  const commits: Change[] = []
  await inputsAsHeard([{ kind: 'heard', ref: null, text: 'do it' }], watch, claudeDriver, {
    clock: { now: () => 7 } as never,
    commit: (async (change: Change) => commits.push(change)) as never,
    store: { inputs: async () => [input] } as never,
    terminal: { look: async () => undefined } as never,
  })
  return commits
}

test('a prompt on which Enter was about to be pressed is said when its agent tells that it heard it, though the pane is gone', async () => {
  expect(await heardOf((runId) => ({ runId }))).toMatchObject([{ say: { number: 1, at: 7 } }])
})

test('the same words alone prove nothing: a person may have typed them', async () => {
  expect(await heardOf(() => ({}))).toEqual([])
})
