import { expect, test } from 'vitest'
import { createRests } from '../../web/src/data/held/rests.ts'

function atTime() {
  let now = 1000
  const timers: { at: number; then: () => void }[] = []
  const pass = (ms: number) => {
    now += ms
    for (const timer of timers.splice(0)) (timer.at <= now ? timer.then : () => timers.push(timer))()
  }
  return {
    rests: createRests({ now: () => now, after: (ms, then) => timers.push({ at: now + ms, then }) }),
    pass,
  }
}

test('a question that was never asked, or whose rest is over, is asked at once', () => {
  const { rests, pass } = atTime()
  const asked: string[] = []
  rests.whenRested('a', () => asked.push('a'))
  const answered = rests.asked('a', 20)
  pass(10)
  answered()
  pass(200)
  rests.whenRested('a', () => asked.push('again'))
  expect(asked).toEqual(['a', 'again'])
})

test('after an answer that took 700 ms nothing is asked for 14 s, and then once, however much was news', () => {
  const { rests, pass } = atTime()
  let asked = 0
  const answered = rests.asked('changes', 20)
  pass(700)
  answered()
  for (let news = 0; news < 5; news++) rests.whenRested('changes', () => asked++)
  rests.whenRested('others', () => asked++)
  expect(asked).toBe(1)
  pass(13_999)
  expect(asked).toBe(1)
  pass(1)
  expect(asked).toBe(2)
})

test('a question that was asked meanwhile for another reason rests anew', () => {
  const { rests, pass } = atTime()
  let asked = 0
  rests.asked('a', 10)()
  const first = rests.asked('a', 10)
  pass(100)
  first()
  rests.whenRested('a', () => asked++)
  const second = rests.asked('a', 10)
  pass(100)
  second()
  pass(900)
  expect(asked).toBe(0)
  pass(100)
  expect(asked).toBe(1)
})
