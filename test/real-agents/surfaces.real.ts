// The page and the board with real agents: each surface once. surfaces.slow.ts does it with all of them.
import { test } from 'vitest'
import { useLab } from './lab.ts'
import { onTheBoard } from './on-the-board.ts'
import { headlessOnThePage, inItsTerminalOnThePage } from './on-the-page.ts'

const lab = useLab()

test('page: claude without a terminal is answered with one tap, and done; its output, timeline, usage and changes are there', () =>
  headlessOnThePage('claude', lab))

test('page: codex in its terminal is seen, prompted with proof, answered, back after kill -9, and killed', () =>
  inItsTerminalOnThePage('codex', lab))

test('top: claude is answered, prompted, attached to and left, and killed', () => onTheBoard('claude', lab))
