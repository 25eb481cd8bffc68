// The page and the board with each real agent. surfaces.real.ts does the same with some.
import { test } from 'vitest'
import { AGENTS } from './agent-home.ts'
import { useLab } from './lab.ts'
import { onTheBoard } from './on-the-board.ts'
import { headlessOnThePage, inItsTerminalOnThePage } from './on-the-page.ts'
import { PATIENCE_MS } from './recovery-world.ts'

const lab = useLab()
const patient = { timeout: 4 * PATIENCE_MS }

test.each(AGENTS)(
  'page: %s without a terminal is answered with one tap, and done; its output, timeline, usage and changes are there',
  patient,
  (kind) => headlessOnThePage(kind, lab),
)

test.each(AGENTS)(
  'page: %s in its terminal is seen, prompted with proof, answered, back after kill -9, and killed',
  patient,
  (kind) => inItsTerminalOnThePage(kind, lab),
)

test.each(AGENTS)('top: %s is answered, prompted, attached to and left, and killed', patient, (kind) =>
  onTheBoard(kind, lab),
)
