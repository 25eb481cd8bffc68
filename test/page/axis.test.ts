import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisTimes, axisWith, placeOn } from '../../web/src/words/axis.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Runs one after the other, with pauses from none to days between them. */
const stories = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 3 * 24 * HOUR }), fc.integer({ min: 1, max: 2 * HOUR })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((pairs) => {
    let at = 1_000_000_000_000
    const whole = { from: at, to: at }
    const runs = pairs.map(([pause, length]) => {
      const from = at + pause
      at = from + length
      return { from, to: at }
    })
    return { runs, whole: { ...whole, to: at } }
  })

test('on every axis time keeps its order, stretches do not overlap, and all of the axis is used', () => {
  fc.assert(
    fc.property(stories, ({ runs, whole }) => {
      const axis = axisWith(whole, runs)
      for (const [index, { left, right }] of axis.entries()) {
        expect(right).toBeGreaterThanOrEqual(left)
        expect(left).toBe(axis[index - 1]?.right ?? 0)
      }
      expect(axis.at(-1)!.right).toBeCloseTo(1, 6)
      const moments = runs.flatMap(({ from, to }) => [from, (from + to) / 2, to])
      const places = moments.map((at) => placeOn(axis, at))
      expect(places).toEqual([...places].sort((one, other) => one - other))
    }),
  )
})

test('every run is a few points wide, and none is cut', () => {
  fc.assert(
    fc.property(stories, ({ runs, whole }) => {
      const axis = axisWith(whole, runs)
      // Of an axis of 900 points; many share half of it.
      const least = Math.min(4 / 900, 0.4 / runs.length)
      for (const { from, to } of runs)
        expect(placeOn(axis, to) - placeOn(axis, from)).toBeGreaterThanOrEqual(least)
      expect(
        axis
          .filter(({ isCut }) => isCut)
          .every(({ from, to }) => !runs.some((run) => run.from < to && run.to > from)),
      ).toBe(true)
    }),
  )
})

test('a wait of five hours between two runs of a minute is cut out, and its end has a time', () => {
  const runs = [
    { from: 0, to: MINUTE },
    { from: 5 * HOUR, to: 5 * HOUR + 2 * MINUTE },
  ]
  const axis = axisWith({ from: 0, to: runs[1]!.to }, runs)
  const [cut, ...others] = axis.filter(({ isCut }) => isCut)
  expect(others).toEqual([])
  expect(cut).toMatchObject({ from: MINUTE, to: 5 * HOUR })
  expect(cut!.right - cut!.left).toBeLessThan(0.07)
  expect(placeOn(axis, MINUTE)).toBeGreaterThan(0.25)
  expect(axisTimes(axis, 0.1)).toContain(5 * HOUR)
})

test('without a long wait, time runs evenly and nothing is cut', () => {
  const axis = axisWith({ from: 0, to: 10 * MINUTE }, [{ from: 0, to: 8 * MINUTE }])
  expect(axis.some(({ isCut }) => isCut)).toBe(false)
  expect(placeOn(axis, 5 * MINUTE)).toBeCloseTo(0.5)
  expect(axisTimes(axis, 0.15)).toEqual([0, 2, 4, 6, 8, 10].map((minutes) => minutes * MINUTE))
})

test('a moment within a wait, such as a failure, keeps its place between the parts that are cut', () => {
  const axis = axisWith({ from: 0, to: 10 * HOUR }, [{ from: 0, to: MINUTE }], [5 * HOUR])
  expect(axis.filter(({ isCut }) => isCut)).toHaveLength(2)
  expect(placeOn(axis, 5 * HOUR)).toBeGreaterThan(placeOn(axis, 4 * HOUR))
})
