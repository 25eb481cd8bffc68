// Owns what a column of the board says about how many tasks it has. Pure.
import type { TotalsJson } from '../../../../../src/protocol/json/task-json.ts'
import { counted } from '../../../words/count.ts'
import type { Place } from '../../../words/state.ts'

/** `totals`: of the whole list, undefined when only some of its tasks are wanted. `hasEnded`: some that ended are loaded. */
export type Loaded = {
  readonly totals: TotalsJson | undefined
  readonly hasEnded: boolean
  readonly whole: boolean
}

export function columnCount(place: Place, loaded: number, { totals, hasEnded, whole }: Loaded): string {
  if (place === 'ended') {
    if (totals === undefined) return counted(loaded, whole)
    return counted(totals.completed + totals.failed + totals.killed, true)
  }
  // Those that have not ended come first: when one that ended is there, all of them are.
  return counted(loaded, whole || hasEnded)
}
