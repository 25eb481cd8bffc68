// The page and the board with each real agent. surfaces.real.ts does the same with some.
import { describe, test } from 'vitest'
import { AGENTS } from './agent-home.ts'
import { canAsk } from './asks-first.ts'
import { useLab } from './lab.ts'
import { onTheBoard } from './on-the-board.ts'
import { headlessOnThePage, inItsTerminalOnThePage } from './on-the-page.ts'
import { PATIENCE_MS } from './recovery-world.ts'

const lab = useLab()
const patient = { timeout: 4 * PATIENCE_MS }

describe.each(AGENTS.filter(canAsk))('%s', (kind) => {
  test(
    'page, without a terminal: answered with one tap, and done; its output, timeline, usage and changes are there',
    patient,
    () => headlessOnThePage(kind, lab),
  )

  test(
    'page, in its terminal: seen, prompted with proof, answered, back after kill -9, and killed',
    patient,
    () => inItsTerminalOnThePage(kind, lab),
  )

  test('top: answered, prompted, attached to and left, and killed', patient, () => onTheBoard(kind, lab))
})

describe.each(AGENTS.filter((kind) => !canAsk(kind)))('%s, which asks nothing', (kind) => {
  test('page, without a terminal: done; its output, timeline, usage and changes are there', patient, () =>
    headlessOnThePage(kind, lab),
  )

  test('page, in its terminal: seen, prompted with proof, back after kill -9, and killed', patient, () =>
    inItsTerminalOnThePage(kind, lab),
  )

  test('top: prompted, attached to and left, and killed', patient, () => onTheBoard(kind, lab))
})
