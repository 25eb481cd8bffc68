import { realDrivers } from '../src/agents/all.ts'
import { screens } from './lib/fixtures.ts'
import { limitRow, report } from './lib/report.ts'

const ROUNDS = 100
const WARM_UP_ROUNDS = 20

const timed = (work: () => unknown) => {
  const from = performance.now()
  work()
  return performance.now() - from
}

const rows = realDrivers.map(({ kind, readScreen }) => {
  const recorded = screens(kind)
  const floor: number[] = []
  const took: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++)
    for (const view of recorded) {
      const split = timed(() => view.text.split('\n'))
      const read = timed(() => readScreen(view))
      if (round < 0) continue
      floor.push(split)
      took.push(read)
    }
  return limitRow(`${kind}, ${recorded.length} screens`, floor, took, { share: 0.99, ms: 1 })
})
report(
  `How long does one reading of a screen take? (${ROUNDS} rounds; floor: its text is cut into lines)`,
  rows,
)
process.exit(0)
