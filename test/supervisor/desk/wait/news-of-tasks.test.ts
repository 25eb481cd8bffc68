import { expect, test } from 'vitest'
import { NewsOfTasks } from '../../../../src/supervisor/desk/wait/news-of-tasks.ts'
import { Waiters } from '../../../../src/supervisor/kernel/waiters.ts'
import { systemClock as clock } from '../../../../src/system/clock.ts'

const LONG_MS = 60_000
const never = new AbortController().signal

test('news between two calls is not lost, and is told once', async () => {
  const waiters = new Waiters()
  const news = new NewsOfTasks(['a', 'b'], { waiters, clock })
  waiters.wake('b')
  waiters.wake('other')
  expect(await news.next(LONG_MS, never)).toEqual(['b'])
  expect(await news.next(1, never)).toEqual([])
})

test('one who waits hears the news, and after closing nothing', async () => {
  const waiters = new Waiters()
  const news = new NewsOfTasks(['a'], { waiters, clock })
  const heard = news.next(LONG_MS, never)
  waiters.wake('a')
  expect(await heard).toEqual(['a'])
  news.close()
  waiters.wake('a')
  expect(await news.next(1, never)).toEqual([])
})

test('the signal ends the waiting, also when it came before', async () => {
  const stopping = new AbortController()
  const news = new NewsOfTasks(['a'], { waiters: new Waiters(), clock })
  const waiting = news.next(LONG_MS, stopping.signal)
  stopping.abort()
  expect(await waiting).toEqual([])
  expect(await news.next(LONG_MS, stopping.signal)).toEqual([])
})
