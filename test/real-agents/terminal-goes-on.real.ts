// Each real agent that lives on in its terminal after its turn was stopped, failed or met a limit: it goes on there.
// OpenCode is in the slow suite (stopped-opencode.slow.ts): now and then a stop of its is not seen within two minutes.
import { test } from 'vitest'
import { kindsThat } from './daemon-world.ts'
import { goesOnInItsTerminal } from './goes-on-in-terminal.ts'
import { useLab } from './lab.ts'
import { PATIENCE_MS } from './recovery-world.ts'

const lab = useLab()
const kinds = kindsThat(({ can }) => can.modes.includes('interactive')).filter((kind) => kind !== 'opencode')

test.each(kinds)(
  '%s goes on in its terminal: stopped before its first word, stopped in a tool, refused by its model (not OpenCode), at a limit',
  { timeout: 5 * PATIENCE_MS },
  (kind) => goesOnInItsTerminal(kind, lab),
)
