import { expect, test } from 'vitest'
import { ROOMS } from '../../src/channels/rooms.ts'
import { asNodeId } from '../../src/domain/names/ids.ts'
import type { Notice } from '../../src/domain/notify/notice.ts'
import { composeMessage, type TellingNeeds } from '../../src/notify/compose-message.ts'
import { NOON, RUN_ID, TASK_ID } from '../builders/ids.ts'
import { aQuestion } from '../builders/question.ts'

const notice = (id: string, changes: Partial<Notice> = {}): Notice => ({
  id,
  channel: 'phone',
  nodeId: asNodeId('node-a'),
  kind: 'completion',
  taskId: TASK_ID,
  question: null,
  runId: null,
  title: `${id} completed`,
  text: 'done',
  options: [],
  at: NOON,
  deliveryId: 'd1',
  dropped: null,
  ...changes,
})
const asks = { kind: 'question', question: 1, runId: RUN_ID, options: ['yes', 'no'] } as const

test('among many notices, those that can be answered come first, and keep their buttons', async () => {
  const many = Array.from({ length: 30 }, (_, n) => notice(`n${n}`))
  const question = aQuestion({ number: 1, runId: RUN_ID })
  const needs = {
    desk: { notices: { question: async () => question } },
    tickets: { sign: (id: string, option: number) => `${id}.${option}` },
  } as unknown as TellingNeeds
  const told = await composeMessage(
    { id: 'd1', notices: [...many, notice('asks', asks)] },
    { canAnswer: true, room: ROOMS.email },
    needs,
  )
  expect(told.notices.map(({ id }) => id)).toEqual(['asks', ...many.map(({ id }) => id)])
  expect(told.notices[0]?.buttons.map(({ ticket }) => ticket)).toEqual(['asks.0', 'asks.1'])
  expect(told.title).toBe('asks completed · and 30 completed')
})

test.each([
  ['use sk-abcdefghijklmnopqrst1234', 'use [redacted]'],
  ['\u202Eno\x1b[31m\nplease', 'no[31m please'],
  ['x'.repeat(100), `${'x'.repeat(60)}…`],
])('what a person has answered is told as one short line, without secrets: %j', async (answer, shown) => {
  const question = aQuestion({ number: 1, runId: RUN_ID, answer, answeredBy: 'ada' })
  const needs = {
    desk: { notices: { question: async () => question } },
    tickets: { sign: () => '' },
  } as unknown as TellingNeeds
  const { notices } = await composeMessage(
    { id: 'd1', notices: [notice('n1', asks)] },
    { canAnswer: true, room: ROOMS.email },
    needs,
  )
  expect(notices[0]).toMatchObject({
    title: `n1 completed (answered already by ada: ${shown})`,
  })
})
