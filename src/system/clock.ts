import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../ports/clock.ts'

/** hrtime is CLOCK_MONOTONIC: the same in every process of one boot, and it stands still while suspended. */
export const systemClock: Clock = {
  now: () => Date.now(),
  minuteOfDay() {
    const now = new Date()
    return now.getHours() * 60 + now.getMinutes()
  },
  monotonic: () => Number(process.hrtime.bigint() / 1_000_000n),
  sleep: (ms) => sleep(ms),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
}
