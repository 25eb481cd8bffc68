import { expect, test } from 'vitest'
import { nextToSay } from '../../../src/delivery/inputs/next-to-say.ts'
import { KEPT_BACK_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import type { TaskState } from '../../../src/domain/task/state.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { anInput } from '../../builders/input.ts'
import { inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aRun } from '../../builders/run.ts'
import { aTask } from '../../builders/task.ts'

const spokenTo = (state: TaskState) => ({ task: aTask(state), run: aRun() })

test('answers go first, prompts one by one and never while something is asked', () => {
  const works = spokenTo(inPhase.working())
  const first = anInput({ number: 1, runId: RUN_ID, saidAt: 5 })
  const second = anInput({ number: 2 })
  const answer = anInput({ number: 3, kind: 'answer', question: 1 })
  const question = aQuestion({ number: 1, answer: 'yes' })
  expect(nextToSay([first, second], [], works)).toBeUndefined()
  expect(nextToSay([{ ...first, doneAt: 6 }, second], [], works)).toBe(second)
  expect(nextToSay([{ ...first, doneAt: 6 }, second], [aQuestion({ number: 1 })], works)).toBeUndefined()
  expect(nextToSay([first, second, answer], [question], works)).toBe(answer)
  expect(nextToSay([first, second, answer], [], works)).toBeUndefined()
})

test('a prompt waits for the end of a pause or a limit, and not for a question of ours about itself', () => {
  const prompt = anInput({ number: 1 })
  for (const state of [inPhase.parked(), inPhase.backingOff()])
    expect(nextToSay([prompt], [], spokenTo(state))).toBeUndefined()
  const question = aQuestion({ number: 1, ref: KEPT_BACK_ASKS })
  expect(nextToSay([prompt], [question], spokenTo(inPhase.asking()))).toBe(prompt)
})

test('a run that is to end gets nothing more, neither a prompt nor an answer: the next run is told', () => {
  const inputs = [anInput({ number: 1 }), anInput({ number: 2, kind: 'answer', question: 1 })]
  const open = [aQuestion({ number: 1, answer: 'yes' })]
  const ordered = { by: 'holdfast', reason: '', at: 5 }
  const restart = { ...ordered, kind: 'trigger', goOn: null, mode: null } as const
  const stop = { ...ordered, kind: 'kill' } as const
  for (const order of [{ restart }, { stop }]) {
    const task = aTask(inPhase.working(), order)
    expect(nextToSay(inputs, [], { task, run: aRun() })).toBeUndefined()
    expect(nextToSay(inputs, open, { task, run: aRun() })).toBeUndefined()
  }
  expect(nextToSay(inputs, [], spokenTo(inPhase.working()))).toBe(inputs[0])
})
