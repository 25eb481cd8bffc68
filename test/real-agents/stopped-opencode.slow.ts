// OpenCode in its terminal, stopped again and again within seconds. Now and then one of these stops is not seen.
import { test } from 'vitest'
import { kindsThat } from './daemon-world.ts'
import { goesOnInItsTerminal } from './goes-on-in-terminal.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS } from './recovery-world.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.modes.includes('interactive')).filter((kind) => kind === 'opencode')

test.each(kinds)(
  '%s goes on in its terminal: stopped before its first word, stopped in a tool, refused by its model (not OpenCode), at a limit',
  { timeout: 5 * PATIENCE_MS },
  (kind) => goesOnInItsTerminal(kind, lab),
)
