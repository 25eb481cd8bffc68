import { expect, test } from 'vitest'
import { drillLines } from '../../src/cli/render/text/drill-text.ts'
import { measure, median } from '../../src/drill/measure.ts'
import { reportOf } from '../../src/drill/report.ts'

test('it is noted with the first event after the blow, and resumed when the last process began', () => {
  expect(measure({ at: 100 }, [50, 130, 180], 170)).toEqual({ detectMs: 30, resumeMs: 70 })
})

test('what the API showed counts before the events', () => {
  expect(measure({ at: 100, seenAt: 105 }, [50, 130], 40)).toEqual({ detectMs: 5, resumeMs: null })
})

test('an agent that lived on has no resume time; a blow that nobody noted has none at all', () => {
  expect(measure({ at: 100 }, [50], 40)).toEqual({ detectMs: null, resumeMs: null })
})

test('the median leaves out what has no figure', () => {
  expect(median([30, null, 10, 20])).toBe(20)
  expect(median([10, 20])).toBe(15)
  expect(median([null])).toBeNull()
})

const blow = {
  name: 'agent',
  about: 'kill -9 of the agent',
  detect_ms: 25,
  resume_ms: 145,
  lost: [],
  why: null,
} as const

test('a drill reads as a table, what was lost, and a summary', () => {
  const rows = [
    { ...blow, verdict: 'pass' },
    {
      ...blow,
      name: 'tool',
      verdict: 'fail',
      resume_ms: null,
      lost: ['the agent was resumed 0 times instead of once'],
    },
    { ...blow, name: 'limit', verdict: 'skipped', detect_ms: null, resume_ms: null, why: 'no' },
  ] as const
  const lines = drillLines(reportOf('scripted', rows, '/tmp/x'), (_, text) => text, 200)
  expect(lines).toEqual([
    'BLOW   WHAT WAS DONE         DETECT  RESUME  LOST       VERDICT',
    'agent  kill -9 of the agent  25 ms   145 ms  nothing    pass',
    'tool   kill -9 of the agent  25 ms   —       see below  fail',
    'limit  kill -9 of the agent  —       —       —          skipped',
    '  tool: the agent was resumed 0 times instead of once',
    '  limit: skipped: no',
    '',
    '1 of 2 passed, 1 skipped: 1 failed; median detect 25 ms, resume 145 ms; kept in /tmp/x',
  ])
})

test('one failure fails the drill, a skipped blow does not', () => {
  expect(reportOf('scripted', [{ ...blow, verdict: 'fail' }], null).ok).toBe(false)
  expect(reportOf('scripted', [{ ...blow, verdict: 'skipped' }], null).ok).toBe(true)
})
