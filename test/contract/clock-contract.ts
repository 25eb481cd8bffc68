import { expect, test } from 'vitest'
import type { Clock } from '../../src/ports/clock.ts'

/** `pass` lets at least so much time go by. */
export type ClockWorld = { readonly clock: Clock; readonly pass: (ms: number) => Promise<void> }

/** Every Clock passes this: the system's, and the one that tests move. */
export function clockContract(name: string, open: () => ClockWorld): void {
  test(`${name}: both hands go on while time passes`, async () => {
    const { clock, pass } = open()
    const [wall, mono] = [clock.now(), clock.monotonic()]
    await pass(20)
    expect(clock.monotonic() - mono).toBeGreaterThanOrEqual(19)
    expect(clock.now() - wall).toBeGreaterThanOrEqual(19)
  })

  test(`${name}: monotonic time never goes back`, async () => {
    const { clock, pass } = open()
    let before = clock.monotonic()
    for (let look = 0; look < 20; look++) {
      await pass(1)
      expect(clock.monotonic()).toBeGreaterThanOrEqual(before)
      before = clock.monotonic()
    }
  })

  test(`${name}: the minute of the day is that of the wall clock, in local time`, () => {
    const { clock } = open()
    const minuteAt = (at: Date) => at.getHours() * 60 + at.getMinutes()
    const before = minuteAt(new Date(clock.now()))
    const minute = clock.minuteOfDay()
    expect([before, minuteAt(new Date(clock.now()))]).toContain(minute)
  })

  test(`${name}: a sleep ends when its time has passed, and not before`, async () => {
    const { clock, pass } = open()
    const slept: string[] = []
    const sleeps = [30, 10].map(async (ms) => {
      const before = clock.monotonic()
      await clock.sleep(ms)
      // Timers count in whole milliseconds.
      expect(clock.monotonic() - before).toBeGreaterThanOrEqual(ms - 1)
      slept.push(`${ms} ms`)
    })
    expect(slept).toEqual([])
    await pass(50)
    await Promise.all(sleeps)
    expect(slept).toEqual(['10 ms', '30 ms'])
  })

  test(`${name}: a call is made once after its time, or never when it was called off`, async () => {
    const { clock, pass } = open()
    const calls: string[] = []
    const callOff = clock.after(5, () => calls.push('called off'))
    callOff()
    const callOffLate = clock.after(5, () => calls.push('made'))
    expect(calls).toEqual([])
    await pass(30)
    callOffLate()
    callOffLate()
    await pass(30)
    expect(calls).toEqual(['made'])
  })

  test(`${name}: also one for now is made later, and may order the next`, async () => {
    const { clock, pass } = open()
    const calls: string[] = []
    clock.after(0, () => {
      calls.push('first')
      clock.after(5, () => calls.push('second'))
    })
    expect(calls).toEqual([])
    await pass(20)
    await pass(20)
    expect(calls).toEqual(['first', 'second'])
  })

  test(`${name}: calls come in the order of their times`, async () => {
    const { clock, pass } = open()
    const calls: number[] = []
    for (const ms of [40, 10, 25]) clock.after(ms, () => calls.push(ms))
    await pass(80)
    expect(calls).toEqual([10, 25, 40])
  })
}
