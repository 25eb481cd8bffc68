// The coding agents Holdfast knows, in the order in which they are looked for when a task names none.
import type { AgentDriver } from '../ports/agent-driver.ts'
import { claudeDriver } from './claude.ts'
import { codexDriver } from './codex.ts'
import { opencodeDriver } from './opencode.ts'
import { piDriver } from './pi.ts'

export const realDrivers: readonly AgentDriver[] = [claudeDriver, codexDriver, opencodeDriver, piDriver]
