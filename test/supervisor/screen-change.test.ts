import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/ids.ts'
import { reading, type ScreenPhase } from '../../src/ports/screen.ts'
import type { Watch } from '../../src/supervisor/core.ts'
import { screenChange, turnIsOver } from '../../src/supervisor/screen-change.ts'
import { aQuestion } from './samples.ts'

const watched = (status = 'running', phase = 'working') =>
  ({ task: { id: 't', status, phase }, run: { id: asRunId('run-1') } }) as unknown as Watch

const sight = (phase: ScreenPhase, looks: number, more = {}) => ({
  reading: reading(phase, `line of ${phase}`, {
    question: phase === 'asking' ? { text: 'Proceed?', options: ['Yes', 'No'] } : null,
  }),
  seen: { phase, looks, activeAt: 1, worked: true, rested: false },
  turn: { heardAt: 1 as number | null },
  told: false,
  ...more,
})

test('one look proves nothing', () => {
  for (const phase of ['asking', 'idle', 'working'] as const)
    expect(screenChange(sight(phase, 1), watched(), [], 7)).toBeUndefined()
})

test('a dialog is asked once, with its options', () => {
  expect(screenChange(sight('asking', 2), watched(), [], 7)).toMatchObject({
    task: { event: 'question_asked', reason: 'Proceed? (Yes / No)' },
    question: { text: 'Proceed?', options: ['Yes', 'No'], ref: null },
  })
  expect(
    screenChange(sight('asking', 3), watched('waiting_input', 'asking'), [aQuestion()], 7),
  ).toBeUndefined()
})

test('a dialog that follows an answered one at once is another question', () => {
  const asking = watched('waiting_input', 'asking')
  const next = { question: { text: 'Proceed?' }, settled: { numbers: [1] } }
  const answered = aQuestion({ ref: null, text: 'Another?', answer: 'Yes' })
  expect(screenChange(sight('asking', 2), asking, [answered], 7)).toMatchObject(next)
  const same = { ...answered, text: 'Proceed?' }
  expect(screenChange(sight('asking', 2), asking, [same], 7)).toBeUndefined()
  expect(screenChange(sight('asking', 9), asking, [same], 7)).toMatchObject(next)
  expect(screenChange(sight('asking', 9), asking, [{ ...same, answer: null }], 7)).toBeUndefined()
})

test('an agent that tells by itself is given time to tell its dialog', () => {
  expect(screenChange(sight('asking', 4, { told: true }), watched(), [], 7)).toBeUndefined()
  expect(screenChange(sight('asking', 9, { told: true }), watched(), [], 7)).toMatchObject({
    task: { event: 'question_asked' },
  })
})

test('a dialog that is gone is settled; an unreadable screen settles nothing, nor one that awaits its line', () => {
  const asking = watched('waiting_input', 'asking')
  const typed = aQuestion({ ref: null })
  expect(screenChange(sight('working', 2), asking, [typed], 7)).toMatchObject({
    task: { event: 'question_settled' },
    settled: { numbers: [1] },
  })
  expect(screenChange(sight('unknown', 9), asking, [typed], 7)).toBeUndefined()
  expect(screenChange(sight('working', 9), asking, [aQuestion()], 7)).toBeUndefined()
})

test('a turn is over when its agent was seen at work and then at rest', () => {
  expect(screenChange(sight('idle', 2), watched(), [], 7)).toMatchObject({ task: { event: 'turn_finished' } })
  expect(screenChange(sight('error', 2), watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished', reason: 'line of error' },
  })
})

test('at rest from the first, it may not have begun: that takes longer; so it does where the agent tells by itself', () => {
  const notSeenAtWork = {
    seen: { phase: 'idle' as const, looks: 4, activeAt: 1, worked: false, rested: false },
  }
  expect(turnIsOver(sight('idle', 4, notSeenAtWork), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 4, { told: true }), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 11, { told: true }), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 12, { told: true }), { phase: 'working' })).toBe(true)
  const notDrawn = { told: true, seen: { ...notSeenAtWork.seen, looks: 20 } }
  expect(turnIsOver(sight('idle', 20, notDrawn), { phase: 'working' })).toBe(false)
  const unheard = { told: true, turn: { heardAt: null } }
  expect(turnIsOver(sight('idle', 9, unheard), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('error', 9, unheard), { phase: 'working' })).toBe(true)
  const unsaid = { ...notSeenAtWork, turn: undefined }
  expect(turnIsOver(sight('idle', 9, unsaid), { phase: 'working' })).toBe(false)
})

test('a person’s own turn is over, or was interrupted by them, like any other that was seen', () => {
  const own = { turn: undefined }
  expect(screenChange(sight('idle', 2, own), watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished' },
  })
  expect(screenChange(sight('idle', 12, { ...own, told: true }), watched(), [], 7)).toMatchObject({
    task: { event: 'person_stopped' },
  })
})

test('an idle agent seen at work works again', () => {
  expect(screenChange(sight('working', 2), watched('running', 'idle'), [], 7)).toMatchObject({
    task: { event: 'turn_began' },
  })
})

test('a screen that lags behind the word of its end does not work again', () => {
  const idle = watched('running', 'idle')
  const seen = { phase: 'working' as const, looks: 9, activeAt: 1, worked: true, rested: false }
  const lags = (more = {}) => sight('working', 9, { told: true, seen: { ...seen, ...more } })
  expect(screenChange(lags(), idle, [], 7)).toBeUndefined()
  expect(screenChange(lags({ rested: true }), idle, [], 7)).toMatchObject({ task: { event: 'turn_began' } })
  expect(screenChange(lags({ looks: 40 }), idle, [], 7)).toMatchObject({ task: { event: 'turn_began' } })
})
