import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/ids.ts'
import type { AgentSays } from '../../src/ports/agent-driver.ts'
import { openTurn, progressOf, withPrompts } from '../../src/supervisor/said.ts'
import { nextToSay } from '../../src/supervisor/speak.ts'
import { anInput, aQuestion } from './samples.ts'

const run = asRunId('run-1')
const said = { runId: run, saidAt: 5 }
const headless = { id: run, inTerminal: false }

test('a turn is on from its saying until it is done, and only in the run that heard it', () => {
  const prompt = anInput({ number: 1, ...said })
  expect(openTurn([prompt], run)).toBe(prompt)
  expect(openTurn([{ ...prompt, doneAt: 9 }], run)).toBeUndefined()
  expect(openTurn([prompt], asRunId('run-2'))).toBeUndefined()
})

test('an agent names what it heard, or repeats it; a person’s own prompt is not ours', () => {
  const inputs = [anInput({ number: 1, text: 'first  task', ...said }), anInput({ number: 2, ...said })]
  const heard = (ref: string | null, text: string | null) =>
    progressOf([{ kind: 'heard', ref, text }], inputs, headless).heard
  expect(heard('hf-2', null)).toEqual([2])
  expect(heard(null, ' first task')).toEqual([1])
  expect(heard(null, 'something else')).toEqual([])
  expect(heard('hf-9', null)).toEqual([])
})

test('the end of a turn belongs to the prompt that is worked on', () => {
  const inputs = [anInput({ number: 1, ...said, doneAt: 6 }), anInput({ number: 2, ...said })]
  const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
  expect(progressOf([finished], inputs, headless).done).toEqual([2])
  const terminal = { id: run, inTerminal: true }
  expect(progressOf([finished], inputs, terminal).done).toEqual([])
  const heard: AgentSays = { kind: 'heard', ref: 'hf-2', text: null }
  expect(progressOf([heard, finished], inputs, terminal).done).toEqual([2])
})

test('a prompt that is only named is shown with its words', () => {
  const inputs = [anInput({ number: 1, text: 'do it' })]
  expect(withPrompts([{ kind: 'heard', ref: 'hf-1', text: null }], inputs)).toEqual([
    { kind: 'heard', ref: 'hf-1', text: 'do it' },
  ])
})

test('answers go first, prompts one by one and never while something is asked', () => {
  const first = anInput({ number: 1, ...said })
  const second = anInput({ number: 2 })
  const answer = anInput({ number: 3, kind: 'answer', question: 1 })
  const question = aQuestion({ number: 1, answer: 'yes' })
  expect(nextToSay([first, second], [], run)).toBeUndefined()
  expect(nextToSay([{ ...first, doneAt: 6 }, second], [], run)).toBe(second)
  expect(nextToSay([{ ...first, doneAt: 6 }, second], [aQuestion({ number: 1 })], run)).toBeUndefined()
  expect(nextToSay([first, second, answer], [question], run)).toBe(answer)
  expect(nextToSay([first, second, answer], [], run)).toBeUndefined()
})
