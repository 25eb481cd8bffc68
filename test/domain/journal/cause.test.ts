import { expect, test } from 'vitest'
import { causedBy, causeOfNotice, DEEPEST } from '../../../src/domain/journal/cause.ts'
import { asNodeId } from '../../../src/domain/names/ids.ts'
import { readPage } from '../../docs/pages.ts'

const event = (depth: number) => ({ nodeId: asNodeId('a'), seq: 7, depth })

test('what follows from nothing has no cause', () => {
  expect(causedBy(undefined)).toEqual({ cause: null, depth: 0 })
})

test('what follows from an event is one deeper, up to the limit', () => {
  expect(causedBy(event(0))).toEqual({ cause: { nodeId: 'a', seq: 7 }, depth: 1 })
  expect(causedBy(event(DEEPEST - 1)).depth).toBe(DEEPEST)
  expect(() => causedBy(event(DEEPEST))).toThrow(expect.objectContaining({ code: 'EVENT_LOOP' }))
})

test('that the deepest event was set aside can still be told', () => {
  expect(causedBy(causeOfNotice(event(DEEPEST))).depth).toBe(DEEPEST)
  expect(causedBy(causeOfNotice(event(3))).depth).toBe(4)
})

test('docs/events.md names the limit', () => {
  expect(readPage('docs/events.md')).toContain(`deeper than ${DEEPEST} is`)
})
