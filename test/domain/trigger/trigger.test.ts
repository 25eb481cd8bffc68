import { expect, test } from 'vitest'
import { HoldfastError } from '../../../src/domain/errors.ts'
import { asTriggerId } from '../../../src/domain/names/ids.ts'
import { hasMarker, isStronger } from '../../../src/domain/trigger/acknowledgement.ts'
import { isReached } from '../../../src/domain/trigger/aims.ts'
import { checkKey, checkReason, checkThread } from '../../../src/domain/trigger/check-trigger.ts'
import { checkTriggerId, dayOf, triggerIdOf } from '../../../src/domain/trigger/trigger-id.ts'

test('ids name the day in UTC and count with at least four digits', () => {
  expect(dayOf(Date.parse('2026-02-17T23:59:59.999Z'))).toBe('20260217')
  expect([1, 9999, 10_000].map((count) => triggerIdOf('20260217', count))).toEqual([
    'trg_20260217_0001',
    'trg_20260217_9999',
    'trg_20260217_10000',
  ])
  expect(() => checkTriggerId('trg_1')).toThrow(HoldfastError)
})

test('a thread, a reason and a key cannot break out of the line that they stand in', () => {
  for (const bad of ['', 'a b', 'a]', 'a\nb', '[x', 'é', `a${'x'.repeat(100)}`]) {
    expect(() => checkThread(bad)).toThrow(HoldfastError)
    expect(() => checkReason(bad)).toThrow(HoldfastError)
  }
  for (const bad of ['', 'a b', 'é']) expect(() => checkKey(bad)).toThrow(HoldfastError)
  expect([checkThread('th_01JXYZ'), checkReason('new_unread'), checkKey('k:1]')]).toHaveLength(3)
})

test('a marker is that of one trigger, and a stronger sign counts after a weaker one', () => {
  const id = asTriggerId('trg_20260217_0001')
  expect(hasMarker('ok ACK_TRIGGER:trg_20260217_0001.', id)).toBe(true)
  expect(hasMarker('ACK_TRIGGER:trg_20260217_00011', id)).toBe(false)
  expect(isStronger('ack_trigger', 'cursor')).toBe(true)
  expect(isStronger('heartbeat', 'heartbeat')).toBe(false)
  expect(isStronger('marker', null)).toBe(true)
})

test('its own word counts more than its reading on, that more than a heartbeat, and that more than a marker', () => {
  const order = ['ack_trigger', 'cursor', 'heartbeat', 'marker'] as const
  for (const [at, way] of order.entries())
    expect(order.filter((other) => isStronger(way, other))).toEqual(order.slice(at + 1))
})

test('who waits for an acknowledgement is told when it is there, when nobody knows, and when a person keeps it', () => {
  expect(isReached({ state: 'submitted', code: null }, 'submitted')).toBe('reached')
  expect(isReached({ state: 'submitted', code: null }, 'acknowledged')).toBe('not_yet')
  expect(isReached({ state: 'done', code: null }, 'acknowledged')).toBe('reached')
  expect(isReached({ state: 'unconfirmed', code: 'ACK_TIMEOUT' }, 'acknowledged')).toBe('over')
  expect(isReached({ state: 'deferred', code: 'OPERATOR_BUSY' }, 'submitted')).toBe('not_yet')
  expect(isReached({ state: 'deferred', code: 'DEFER_TIMEOUT' }, 'submitted')).toBe('over')
})
