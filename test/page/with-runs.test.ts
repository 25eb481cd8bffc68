import { expect, test } from 'vitest'
import type { RunStoryJson, WhyJson } from '../../src/protocol/json/recovery-json.ts'
import { withRuns } from '../../web/src/data/task/with-runs.ts'

const run = (number: number, tools: number, progress: number) => ({ number, tools, progress }) as RunStoryJson
const why = { runs: [run(1, 4, 4), run(2, 6, 5)] } as unknown as WhyJson

test.each([
  ['a call ended since', [run(2, 6, 6)], [run(1, 4, 4), run(2, 6, 6)]],
  ['the story is newer', [run(2, 5, 5)], [run(1, 4, 4), run(2, 6, 5)]],
  ['another run began since', [run(3, 1, 0)], [run(1, 4, 4), run(2, 6, 5), run(3, 1, 0)]],
  ['none is there yet', [], [run(1, 4, 4), run(2, 6, 5)]],
])('of each run what got further is shown: %s', (_, last, runs) =>
  expect(withRuns(why, last)).toEqual({ ...why, runs }),
)
