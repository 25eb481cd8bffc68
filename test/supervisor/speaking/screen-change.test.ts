import { expect, test } from 'vitest'
import { HOLDFAST_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { reading, type ScreenPhase } from '../../../src/ports/screen.ts'
import { screenChange, turnIsOver } from '../../../src/supervisor/speaking/screen-change.ts'
import type { Watch } from '../../../src/supervisor/task/core.ts'
import { aQuestion } from '../samples.ts'

const watched = (status = 'running', phase = 'working') =>
  ({ task: { id: 't', status, phase }, run: { id: asRunId('run-1') } }) as unknown as Watch

const sight = (phase: ScreenPhase, looks: number, more = {}) => ({
  reading: reading(phase, `line of ${phase}`, {
    question: phase === 'asking' ? { text: 'Proceed?', options: ['Yes', 'No'] } : null,
  }),
  seen: { phase, looks, activeAt: 1, worked: true, changed: true, rested: false },
  turn: { number: 2, heardAt: 1 as number | null },
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
  const notTypedYet = sight('asking', 9, { unsaid: [1] })
  expect(screenChange(notTypedYet, asking, [same], 7)).toBeUndefined()
  expect(screenChange(notTypedYet, asking, [answered], 7)).toMatchObject(next)
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
    seen: { phase: 'idle' as const, looks: 4, activeAt: 1, worked: false, changed: true, rested: false },
  }
  expect(turnIsOver(sight('idle', 4, notSeenAtWork), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 4, { told: true }), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 11, { told: true }), { phase: 'working' })).toBe(false)
  expect(turnIsOver(sight('idle', 12, { told: true }), { phase: 'working' })).toBe(true)
  const notDrawn = { told: true, seen: { ...notSeenAtWork.seen, looks: 20 } }
  expect(turnIsOver(sight('idle', 20, notDrawn), { phase: 'working' })).toBe(false)
  const unheard = { told: true, turn: { number: 2, heardAt: null } }
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
  const seen = {
    phase: 'working' as const,
    looks: 9,
    activeAt: 1,
    worked: true,
    changed: true,
    rested: false,
  }
  const lags = (more = {}) => sight('working', 9, { told: true, seen: { ...seen, ...more } })
  expect(screenChange(lags(), idle, [], 7)).toBeUndefined()
  expect(screenChange(lags({ rested: true }), idle, [], 7)).toMatchObject({ task: { event: 'turn_began' } })
  expect(screenChange(lags({ looks: 40 }), idle, [], 7)).toMatchObject({ task: { event: 'turn_began' } })
})

test('a failure that stood there before the prompt was said is not the end of its turn at once', () => {
  const seen = { phase: 'error' as const, activeAt: 1, worked: false, changed: false, rested: false }
  const look = (looks: number, more = {}) => sight('error', looks, { seen: { ...seen, looks, ...more } })
  expect(turnIsOver(look(39), watched().task)).toBe(false)
  expect(turnIsOver(look(40), watched().task)).toBe(true)
  expect(turnIsOver(look(8, { changed: true }), watched().task)).toBe(true)
})

test('a turn that a person took between two looks after stopping it answers the question', () => {
  const stopped = watched('waiting_input', 'stopped_by_person')
  const question = aQuestion({ ref: HOLDFAST_ASKS, runId: asRunId('run-1'), answer: null })
  const over = { task: { event: 'turn_finished' }, settled: { numbers: [1] } }
  const looks = (many: number, more = {}) => screenChange(sight('idle', many, more), stopped, [question], 7)
  expect(looks(9)).toMatchObject(over)
  expect(looks(4)).toBeUndefined()
  expect(looks(9, { told: true })).toBeUndefined()
  const interrupted = { reading: reading('idle', 'Interrupted', { interrupted: true }) }
  expect(looks(99, interrupted)).toBeUndefined()
  const ofAnEarlierRun = { ...question, runId: asRunId('run-0') }
  expect(screenChange(sight('idle', 9), stopped, [ofAnEarlierRun], 7)).toBeUndefined()
})

test('a prompt that an idle agent still owes is done when its screen says so', () => {
  expect(turnIsOver(sight('idle', 9), { phase: 'idle' })).toBe(true)
  expect(turnIsOver(sight('idle', 9, { turn: undefined }), { phase: 'idle' })).toBe(false)
  expect(turnIsOver(sight('idle', 99, { told: true }), { phase: 'idle' })).toBe(false)
})

test('a prompt that was typed is not over before it left the box, or while nothing came of it', () => {
  const unheard = { turn: { number: 2, heardAt: null } }
  for (const sent of ['unproven', 'unsent'] as const) {
    expect(turnIsOver(sight('idle', 99, { ...unheard, sent }), { phase: 'working' })).toBe(false)
    expect(turnIsOver(sight('idle', 99, { sent }), { phase: 'working' })).toBe(true)
  }
  expect(turnIsOver(sight('idle', 99, { ...unheard, sent: 'maybe' }), { phase: 'working' })).toBe(true)
})

test('a prompt that was typed in vain waits to be said again, and its turn never was', () => {
  const sent = 'unsent' as const
  const lost = sight('idle', 99, { turn: { number: 2, heardAt: null }, sent })
  expect(screenChange(lost, watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished', reason: 'prompt 2 was typed and did not arrive' },
    takeBack: { number: 2, runId: 'run-1' },
  })
  expect(screenChange(sight('idle', 99, { sent }), watched(), [], 7)).not.toHaveProperty('takeBack')
})

test('a screen that lags behind a stop that was told does not take the question back', () => {
  const stopped = watched('waiting_input', 'stopped_by_person')
  const open = [aQuestion({ ref: HOLDFAST_ASKS })]
  const lags = sight('working', 3, { told: true })
  expect(screenChange(lags, stopped, open, 7)).toBeUndefined()
  const went = { ...lags, seen: { ...lags.seen, rested: true } }
  expect(screenChange(went, stopped, open, 7)).toMatchObject({ task: { event: 'question_settled' } })
})
