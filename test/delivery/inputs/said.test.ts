import { expect, test } from 'vitest'
import { givenBackIn, openTurn, progressOf, withPrompts } from '../../../src/delivery/inputs/said.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import type { AgentSays } from '../../../src/ports/run/agent-driver.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { anInput } from '../../builders/input.ts'

const run = RUN_ID
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
  expect(heard(null, 'first tas')).toEqual([])
  expect(heard('hf-9', null)).toEqual([])
})

test('an agent that composes letters anew has heard the same', () => {
  const inputs = [anInput({ number: 1, text: 'cafe\u0301', ...said })]
  expect(progressOf([{ kind: 'heard', ref: null, text: 'caf\u00e9' }], inputs, headless).heard).toEqual([1])
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

test('a draft that is word for word what was said last was given back; anything else is a person’s', () => {
  const stopped = anInput({ number: 1, text: 'do it\nall', ...said, doneAt: 6 })
  const next = anInput({ number: 2 })
  expect(givenBackIn('do it\nall', [stopped, next], run)).toBe(stopped)
  for (const draft of [null, 'do it\nall and more', 'do it'])
    expect(givenBackIn(draft, [stopped, next], run)).toBeUndefined()
  expect(givenBackIn('do it\nall', [{ ...stopped, doneAt: null }, next], run)).toBeUndefined()
})

test('the end of a continuation is the end of what earlier runs had heard, and of nothing else', () => {
  const before = { runId: asRunId('run-0'), saidAt: 1 }
  const inputs = [
    anInput({ number: 1, ...before, heardAt: 2, doneAt: 3 }),
    anInput({ number: 2, ...before, heardAt: 2 }),
    anInput({ number: 3, ...before }),
    anInput({ number: 4, kind: 'continuation', ...said, heardAt: 6 }),
    anInput({ number: 5 }),
  ]
  const finished: AgentSays = { kind: 'finished', ok: true, text: '' }
  expect(progressOf([finished], inputs, headless).done).toEqual([2, 4])
  const plain = inputs.map((input) => (input.number === 4 ? { ...input, kind: 'prompt' as const } : input))
  expect(progressOf([finished], plain, headless).done).toEqual([4])
})
