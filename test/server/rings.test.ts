import { expect, test } from 'vitest'
import { Rings } from '../../src/server/rings.ts'
import { Bell } from '../../src/supervisor/bell.ts'
import { systemClock as clock } from '../../src/system/clock.ts'

const LONG_MS = 60_000
const never = new AbortController().signal

test('a ring between two calls is not lost, and is told once', async () => {
  const bell = new Bell()
  const rings = new Rings(['a', 'b'], { bell })
  bell.ring('b')
  bell.ring('other')
  expect(await rings.next(LONG_MS, { clock }, never)).toEqual(['b'])
  expect(await rings.next(1, { clock }, never)).toEqual([])
})

test('one who waits hears the ring, and after closing nothing', async () => {
  const bell = new Bell()
  const rings = new Rings(['a'], { bell })
  const heard = rings.next(LONG_MS, { clock }, never)
  bell.ring('a')
  expect(await heard).toEqual(['a'])
  rings.close()
  bell.ring('a')
  expect(await rings.next(1, { clock }, never)).toEqual([])
})

test('the signal ends the waiting, also when it came before', async () => {
  const stopping = new AbortController()
  const rings = new Rings(['a'], { bell: new Bell() })
  const waiting = rings.next(LONG_MS, { clock }, stopping.signal)
  stopping.abort()
  expect(await waiting).toEqual([])
  expect(await rings.next(LONG_MS, { clock }, stopping.signal)).toEqual([])
})
