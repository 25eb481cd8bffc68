import { expect, test } from 'vitest'
import { BoardModel } from '../../../src/cli/top/model/board-model.ts'
import { forgetOldest } from '../../../src/cli/top/model/forget-oldest.ts'
import { aTaskJson } from '../../builders/task-json.ts'

test('ten thousand are remembered; then the oldest is forgotten for each that comes', () => {
  const all = new Set<string>()
  for (let n = 0; n < 10_002; n++) {
    all.add(`s${n}`)
    forgetOldest(all)
  }
  expect(all.size).toBe(10_000)
  expect([all.has('s1'), all.has('s2')]).toEqual([false, true])
})

test('of sessions that are gone, the oldest are forgotten when there are more than ten thousand', () => {
  const model = new BoardModel()
  const early = model.ask()
  for (let n = 0; n < 10_001; n++) model.takeGone(model.ask(), `s${n}`)
  // An answer that was asked for before it was gone shows whether the board still knows that.
  for (const id of ['s0', 's1']) model.takeDetail(early, aTaskJson({ session_id: id }), 0)
  expect(model.rows().map(({ row }) => row.session_id)).toEqual(['s0'])
})
