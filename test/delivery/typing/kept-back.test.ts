import { expect, test } from 'vitest'
import {
  ASKS_AFTER_MS,
  type KeptSight,
  keptAfter,
  keptChange,
} from '../../../src/delivery/typing/kept-back.ts'
import { KEPT_BACK_ASKS } from '../../../src/domain/conversation/holdfast-question.ts'
import type { KeptBack } from '../../../src/domain/conversation/kept-back.ts'
import type { ScreenPhase } from '../../../src/ports/run/screen.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { anInput } from '../../builders/input.ts'
import { inPhase } from '../../builders/phases.ts'
import { aQuestion } from '../../builders/question.ts'
import { aTask } from '../../builders/task.ts'
import { aWatch } from '../../builders/watch.ts'

const watched = (standing = inPhase.working()) => aWatch({ task: aTask(standing) })
const at = (mono: number) => ({ wall: 1000 + mono, mono })
const draft: KeptBack = { kind: 'draft', text: 'half' }
const sight = (phase: ScreenPhase, more: Partial<KeptSight> = {}): KeptSight => ({
  kept: keptAfter(null, draft, 1, at(0)),
  inputs: [anInput({ number: 1 })],
  open: [],
  reading: { phase, evidence: 'a box' },
  ...more,
})
const said = anInput({ number: 1, runId: RUN_ID, saidAt: 5 })
const asked = aQuestion({ number: 3, ref: KEPT_BACK_ASKS })

test('it counts from the first moment in which one prompt is kept back, whatever the reasons', () => {
  const first = keptAfter(null, draft, 1, at(0))
  const other = keptAfter(first, { kind: 'history' }, 1, at(7))
  expect(other).toMatchObject({ sinceMono: 0, why: { kind: 'history', since: 1007 } })
  expect(keptAfter(other, draft, 2, at(9)).sinceMono).toBe(9)
  const typed = keptAfter(null, { kind: 'being_typed' }, 1, at(0))
  expect(keptAfter(typed, draft, 1, at(5)).sinceMono).toBe(5)
})

test('an agent at rest that cannot be told is idle, not working, and its reason says why', () => {
  expect(keptChange(sight('idle'), watched(), at(2999))).toBeUndefined()
  expect(keptChange(sight('idle'), watched(), at(3000))?.task).toMatchObject({
    event: 'prompt_waits',
    reason: '1 prompt waits: its input box holds unsent text: "half"',
  })
  expect(keptChange(sight('unknown'), watched(), at(3000))).toBeUndefined()
  expect(keptChange(sight('idle'), watched(inPhase.idle()), at(3000))).toBeUndefined()
  expect(keptChange(sight('idle', { inputs: [said] }), watched(), at(3000))).toBeUndefined()
})

test('after a while a person is asked, once, also where the screen is not understood', () => {
  for (const phase of ['idle', 'unknown'] as const)
    expect(keptChange(sight(phase), watched(), at(ASKS_AFTER_MS))).toMatchObject({
      task: { event: 'question_asked' },
      question: { ref: KEPT_BACK_ASKS, options: ['resume', 'close'] },
      event: { kind: 'escalation' },
    })
  expect(keptChange(sight('idle', { open: [asked] }), watched(inPhase.asking()), at(99_999))).toBe(undefined)
})

test('nobody is asked about what passes by itself, or beside a question of the agent', () => {
  const kept = keptAfter(null, { kind: 'at_work' }, 1, at(0))
  expect(keptChange(sight('working', { kept }), watched(), at(99_999))).toBeUndefined()
  expect(keptChange(sight('idle', { open: [aQuestion()] }), watched(), at(99_999))).toMatchObject({
    task: { event: 'prompt_waits' },
  })
})

test('nothing is asked any more once it was said, or the agent does something else', () => {
  const asking = watched(inPhase.asking())
  const over = { settled: { numbers: [3] } }
  const open = [asked]
  expect(keptChange(sight('idle', { open, kept: null, inputs: [said] }), asking, at(1))).toMatchObject({
    ...over,
    task: { event: 'question_settled' },
  })
  expect(keptChange(sight('working', { open }), asking, at(1))).toMatchObject(over)
  expect(keptChange(sight('asking', { open }), asking, at(1))).toMatchObject(over)
  const done = { ...said, doneAt: 6 }
  expect(keptChange(sight('idle', { open, inputs: [done] }), asking, at(1))).toMatchObject({
    task: { event: 'turn_finished' },
  })
})
