import { expect, test } from 'vitest'
import { judge, type Life, type Sight, signsOfNone } from '../../../src/supervisor/task/proof-of-life.ts'

const MINUTE = 60_000
const at = (time: number) => new Date(time).toISOString().slice(11, 19)
const unseen: Sight = { written: 100, beats: 0, drawnAt: null, clock: null, cpuMs: null }

/** A look every minute, at what `see` shows after so many; the verdicts in the order of the looks. */
function watched(
  minutes: number,
  see: (minute: number) => Partial<Sight>,
  { limitMs = 5 * MINUTE, gapMs = MINUTE }: { limitMs?: number; gapMs?: number } = {},
) {
  let life: Life | null = null
  return Array.from({ length: minutes + 1 }, (_, minute) => {
    const terms = { mono: 1_000_000 + minute * gapMs, longestGapMs: MINUTE, limitMs }
    const judged = judge(life, { ...unseen, ...see(minute) }, terms)
    life = judged.life
    return judged.verdict
  })
}
const firstStuck = (verdicts: readonly string[]) => verdicts.indexOf('stuck')

test('an hour of thinking with a moving clock is life', () => {
  const verdicts = watched(60, (minute) => ({ drawnAt: 7, clock: at(minute * MINUTE), cpuMs: 10 }))
  expect(new Set(verdicts)).toEqual(new Set(['alive']))
})

test('a frozen screen and no CPU time is stuck, after the limit and no earlier', () => {
  const verdicts = watched(6, () => ({ drawnAt: 7, clock: '10:00:00', cpuMs: 10 }))
  expect(verdicts).toEqual(['alive', 'quiet', 'quiet', 'quiet', 'quiet', 'stuck', 'stuck'])
})

test.each([
  ['29 minutes', 29, -1],
  ['31 minutes', 31, 30],
])('with an open tool, %s of quiet are held against a limit of thirty', (_, minutes, stuckAt) => {
  expect(firstStuck(watched(minutes, () => ({ cpuMs: 10 }), { limitMs: 30 * MINUTE }))).toBe(stuckAt)
})

test.each<[string, (minute: number) => Partial<Sight>, stuckAt: number]>([
  ['CPU time alone', (minute) => ({ cpuMs: minute * 60 }), -1],
  ['too little CPU time', (minute) => ({ cpuMs: minute * 50 }), 5],
  ['output alone', (minute) => ({ written: minute, cpuMs: 0 }), -1],
  ['heartbeats alone', (minute) => ({ beats: minute, cpuMs: 0 }), -1],
  ['a file that was cut', (minute) => ({ written: minute < 3 ? 100 : 0, cpuMs: 0 }), 5],
  ['drawing alone', (minute) => ({ drawnAt: minute, cpuMs: 0 }), -1],
  ['a clock that goes back', (minute) => ({ clock: at(86_400_000 - minute * MINUTE), cpuMs: 0 }), -1],
  ['one word in the third minute', (minute) => ({ written: minute < 3 ? 1 : 2, cpuMs: 0 }), 8],
  [
    'a clock that is seen only now and then',
    (minute) => ({ clock: minute % 2 ? '10:00:00' : null, cpuMs: 0 }),
    6,
  ],
  ['a tool that ended and took its CPU time along', (minute) => ({ cpuMs: minute < 3 ? 9000 : 10 }), 5],
  ['no CPU times to be seen', () => ({}), -1],
  ['CPU times not to be seen at the limit', (minute) => ({ cpuMs: minute === 5 ? null : 0 }), 6],
])(
  'twelve minutes of %s: the first look that finds it stuck is the right one, or none',
  (_, see, stuckAt) => {
    expect(firstStuck(watched(12, see))).toBe(stuckAt)
  },
)

test('CPU time spent before the silence began proves nothing about it', () => {
  const see = (minute: number) => (minute < 4 ? { written: minute } : { written: 4, cpuMs: 900_000 })
  // Silent from the fourth minute on: its first close look is a mark, not a proof.
  expect(firstStuck(watched(12, see))).toBe(9)
})

test('a pause of the daemon or the machine is not silence', () => {
  const see = () => ({ cpuMs: 0 })
  expect(firstStuck(watched(4, see, { gapMs: 3_600_000 }))).toBe(-1)
  expect(firstStuck(watched(5, see, { gapMs: 3_600_000 }))).toBe(5)
})

test('the proof and the lack of it are told', () => {
  const terms = { mono: 0, longestGapMs: MINUTE, limitMs: MINUTE }
  const seen = { ...unseen, drawnAt: 7, clock: '10:00:00', cpuMs: 0 }
  const first = judge(null, seen, terms).life
  const stuck = judge(first, seen, { ...terms, mono: MINUTE })
  expect(stuck.verdict).toBe('stuck')
  expect(signsOfNone(stuck.life)).toEqual([
    { source: 'process', fact: 'its processes took no more than 50 ms of CPU time between two looks' },
    { source: 'agent', fact: 'it wrote nothing for 1m' },
    { source: 'screen', fact: 'nothing new was drawn' },
    { source: 'screen', fact: 'its clock still shows 10:00:00' },
  ])
  const proofs = [{ clock: '10:00:05' }, { written: 150 }, { drawnAt: 8 }, { cpuMs: 80 }].map(
    (news) => judge(first, { ...seen, ...news }, terms).life.proof?.fact,
  )
  expect(proofs).toEqual([
    'its clock went from 10:00:00 to 10:00:05',
    'it wrote 50 bytes',
    'something new was drawn',
    'its processes took 80 ms of CPU time',
  ])
})
