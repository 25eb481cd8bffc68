import { expect, test } from 'vitest'
import { HOLDFAST_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { reading, type ScreenPhase } from '../../../src/ports/run/screen.ts'
import { turnIsOver, whatScreenMeans } from '../../../src/supervisor/screens/what-screen-means.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aScreenSeen } from '../../builders/screen-seen.ts'
import { aTask } from '../../builders/task.ts'
import { aWatch } from '../../builders/watch.ts'

const watched = (standing = inPhase.working()) => aWatch({ task: aTask(standing) })

const sight = (phase: ScreenPhase, looks: number, more = {}) => ({
  reading: reading(phase, `line of ${phase}`, {
    question: phase === 'asking' ? { text: 'Proceed?', options: ['Yes', 'No'] } : null,
  }),
  seen: aScreenSeen({ phase, looks }),
  turn: { number: 2, heardAt: 1 as number | null },
  reportsEvents: false,
  ...more,
})

test('one look proves nothing', () => {
  for (const phase of ['asking', 'idle', 'working'] as const)
    expect(whatScreenMeans(sight(phase, 1), watched(), [], 7)).toBeUndefined()
})

test('a dialog is asked once, with its options', () => {
  expect(whatScreenMeans(sight('asking', 2), watched(), [], 7)).toMatchObject({
    task: { event: 'question_asked', reason: 'Proceed? (Yes / No)' },
    question: { text: 'Proceed?', options: ['Yes', 'No'], ref: null },
  })
  expect(whatScreenMeans(sight('asking', 3), watched(inPhase.asking()), [aQuestion()], 7)).toBeUndefined()
})

test('a dialog that follows an answered one at once is another question', () => {
  const asking = watched(inPhase.asking())
  const event = { kind: 'question_added', taskId: asking.task.id }
  const next = { question: { text: 'Proceed?' }, settled: { numbers: [1] }, event }
  const answered = aQuestion({ ref: null, text: 'Another?', answer: 'Yes' })
  expect(whatScreenMeans(sight('asking', 2), asking, [answered], 7)).toMatchObject(next)
  const same = { ...answered, text: 'Proceed?' }
  expect(whatScreenMeans(sight('asking', 2), asking, [same], 7)).toBeUndefined()
  expect(whatScreenMeans(sight('asking', 9), asking, [same], 7)).toMatchObject(next)
  const notTypedYet = sight('asking', 9, { unsaid: [1] })
  expect(whatScreenMeans(notTypedYet, asking, [same], 7)).toBeUndefined()
  expect(whatScreenMeans(notTypedYet, asking, [answered], 7)).toMatchObject(next)
  expect(whatScreenMeans(sight('asking', 9), asking, [{ ...same, answer: null }], 7)).toBeUndefined()
})

test('an agent that tells by itself is given time to tell its dialog', () => {
  expect(whatScreenMeans(sight('asking', 4, { reportsEvents: true }), watched(), [], 7)).toBeUndefined()
  expect(whatScreenMeans(sight('asking', 9, { reportsEvents: true }), watched(), [], 7)).toMatchObject({
    task: { event: 'question_asked' },
  })
})

test('a dialog that is gone is settled; an unreadable screen settles nothing, nor one that awaits its line', () => {
  const asking = watched(inPhase.asking())
  const typed = aQuestion({ ref: null })
  expect(whatScreenMeans(sight('working', 2), asking, [typed], 7)).toMatchObject({
    task: { event: 'question_settled' },
    settled: { numbers: [1] },
  })
  expect(whatScreenMeans(sight('unknown', 9), asking, [typed], 7)).toBeUndefined()
  expect(whatScreenMeans(sight('working', 9), asking, [aQuestion()], 7)).toBeUndefined()
})

test('a turn is over when its agent was seen at work and then at rest', () => {
  expect(whatScreenMeans(sight('idle', 2), watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished' },
  })
  expect(whatScreenMeans(sight('error', 2), watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished', reason: 'line of error' },
  })
})

test('at rest from the first, it may not have begun: that takes longer; so it does where the agent tells by itself', () => {
  const notSeenAtWork = { seen: aScreenSeen({ looks: 4, worked: false }) }
  expect(turnIsOver(sight('idle', 4, notSeenAtWork), aTask())).toBe(false)
  expect(turnIsOver(sight('idle', 4, { reportsEvents: true }), aTask())).toBe(false)
  expect(turnIsOver(sight('idle', 11, { reportsEvents: true }), aTask())).toBe(false)
  expect(turnIsOver(sight('idle', 12, { reportsEvents: true }), aTask())).toBe(true)
  const notDrawn = { reportsEvents: true, seen: { ...notSeenAtWork.seen, looks: 20 } }
  expect(turnIsOver(sight('idle', 20, notDrawn), aTask())).toBe(false)
  const unheard = { reportsEvents: true, turn: { number: 2, heardAt: null } }
  expect(turnIsOver(sight('idle', 9, unheard), aTask())).toBe(false)
  expect(turnIsOver(sight('error', 9, unheard), aTask())).toBe(true)
  const unsaid = { ...notSeenAtWork, turn: undefined }
  expect(turnIsOver(sight('idle', 9, unsaid), aTask())).toBe(false)
})

test('a person’s own turn is over, or was interrupted by them, like any other that was seen', () => {
  const own = { turn: undefined }
  expect(whatScreenMeans(sight('idle', 2, own), watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished' },
  })
  expect(whatScreenMeans(sight('idle', 12, { ...own, reportsEvents: true }), watched(), [], 7)).toMatchObject(
    {
      task: { event: 'person_stopped' },
    },
  )
})

test('an idle agent seen at work works again', () => {
  expect(whatScreenMeans(sight('working', 2), watched(inPhase.idle()), [], 7)).toMatchObject({
    task: { event: 'turn_began' },
  })
})

test('a screen that lags behind the word of its end does not work again', () => {
  const idle = watched(inPhase.idle())
  const lags = (more = {}) =>
    sight('working', 9, { reportsEvents: true, seen: aScreenSeen({ phase: 'working', looks: 9, ...more }) })
  expect(whatScreenMeans(lags(), idle, [], 7)).toBeUndefined()
  expect(whatScreenMeans(lags({ rested: true }), idle, [], 7)).toMatchObject({
    task: { event: 'turn_began' },
  })
  expect(whatScreenMeans(lags({ looks: 40 }), idle, [], 7)).toMatchObject({ task: { event: 'turn_began' } })
})

test('a failure that stood there before the prompt was said is not the end of its turn at once', () => {
  const seen = { phase: 'error', worked: false, changed: false } as const
  const look = (looks: number, more = {}) =>
    sight('error', looks, { seen: aScreenSeen({ ...seen, looks, ...more }) })
  expect(turnIsOver(look(39), aTask())).toBe(false)
  expect(turnIsOver(look(40), aTask())).toBe(true)
  expect(turnIsOver(look(8, { changed: true }), aTask())).toBe(true)
})

test('a turn that a person took between two looks after stopping it answers the question', () => {
  const stopped = watched(inPhase.stoppedByPerson())
  const question = aQuestion({ ref: HOLDFAST_ASKS, runId: RUN_ID, answer: null })
  const over = { task: { event: 'turn_finished' }, settled: { numbers: [1] } }
  const looks = (many: number, more = {}) =>
    whatScreenMeans(sight('idle', many, more), stopped, [question], 7)
  expect(looks(9)).toMatchObject(over)
  expect(looks(4)).toBeUndefined()
  expect(looks(9, { reportsEvents: true })).toBeUndefined()
  const interrupted = { reading: reading('idle', 'Interrupted', { interrupted: true }) }
  expect(looks(99, interrupted)).toBeUndefined()
  const ofAnEarlierRun = { ...question, runId: asRunId('run-0') }
  expect(whatScreenMeans(sight('idle', 9), stopped, [ofAnEarlierRun], 7)).toBeUndefined()
})

test('a prompt that an idle agent still owes is done when its screen says so', () => {
  expect(turnIsOver(sight('idle', 9), aTask(inPhase.idle()))).toBe(true)
  expect(turnIsOver(sight('idle', 9, { turn: undefined }), aTask(inPhase.idle()))).toBe(false)
  expect(turnIsOver(sight('idle', 99, { reportsEvents: true }), aTask(inPhase.idle()))).toBe(false)
})

test('a prompt that was typed is not over before it left the box, or while nothing came of it', () => {
  const unheard = { turn: { number: 2, heardAt: null } }
  for (const sent of ['unproven', 'unsent'] as const) {
    expect(turnIsOver(sight('idle', 99, { ...unheard, sent }), aTask())).toBe(false)
    expect(turnIsOver(sight('idle', 99, { sent }), aTask())).toBe(true)
  }
  expect(turnIsOver(sight('idle', 99, { ...unheard, sent: 'maybe' }), aTask())).toBe(true)
})

test('a prompt that was typed in vain waits to be said again, and its turn never was', () => {
  const sent = 'unsent' as const
  const lost = sight('idle', 99, { turn: { number: 2, heardAt: null }, sent })
  expect(whatScreenMeans(lost, watched(), [], 7)).toMatchObject({
    task: { event: 'turn_finished', reason: 'prompt 2 was typed and did not arrive' },
    takeBack: { number: 2, runId: 'run-1' },
  })
  expect(whatScreenMeans(sight('idle', 99, { sent }), watched(), [], 7)).not.toHaveProperty('takeBack')
})

test('a screen that lags behind a stop that was told does not take the question back', () => {
  const stopped = watched(inPhase.stoppedByPerson())
  const open = [aQuestion({ ref: HOLDFAST_ASKS })]
  const lags = sight('working', 3, { reportsEvents: true })
  expect(whatScreenMeans(lags, stopped, open, 7)).toBeUndefined()
  const went = { ...lags, seen: { ...lags.seen, rested: true } }
  expect(whatScreenMeans(went, stopped, open, 7)).toMatchObject({ task: { event: 'question_settled' } })
})

test('a runtime whose screen shows an interruption waits for its next prompt, and nobody is asked', () => {
  const interrupted = { reading: reading('idle', 'Interrupted', { interrupted: true }) }
  const runtime = aWatch({ task: aTask({ snapshot: { standing: true } }) })
  const change = whatScreenMeans({ ...sight('idle', 99), ...interrupted }, runtime, [], 7)
  expect(change).toMatchObject({ task: { event: 'turn_finished' } })
  expect(change?.question).toBeUndefined()
  const task = whatScreenMeans({ ...sight('idle', 99), ...interrupted }, watched(), [], 7)
  expect(task).toMatchObject({ task: { event: 'person_stopped' } })
})

test('a stuck agent works again when it has drawn something since people were asked', () => {
  const stuck = watched(inPhase.escalated())
  const asked = aQuestion({ ref: HOLDFAST_ASKS, askedAt: 10_000 })
  const drawnAt = (activeAt: number) =>
    sight('working', 9, { seen: aScreenSeen({ phase: 'working', looks: 9, activeAt }) })
  expect(whatScreenMeans(drawnAt(9), stuck, [asked], 20_000)).toBeUndefined()
  expect(whatScreenMeans(drawnAt(10), stuck, [asked], 20_000)).toBeUndefined()
  expect(whatScreenMeans(drawnAt(11), stuck, [asked], 20_000)).toMatchObject({
    task: { event: 'question_settled', reason: 'it works again' },
  })
})
