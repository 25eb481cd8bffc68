// The coding agents Holdfast knows, in the order in which they are looked for when a task names none.
import type { AgentDriver } from '../ports/agent-driver.ts'
import { claudeDriver } from './claude/driver.ts'
import { codexDriver } from './codex/driver.ts'
import { opencodeDriver } from './opencode/driver.ts'
import { piDriver } from './pi/driver.ts'

/** The beginning of the argv of what comes with Holdfast and helps an agent. */
export type OwnPrograms = { readonly opencodeBridge: readonly string[] }

export const driversWith = ({ opencodeBridge }: OwnPrograms): readonly AgentDriver[] => [
  claudeDriver,
  codexDriver,
  opencodeDriver({ bridge: opencodeBridge }),
  piDriver,
]

/** For whoever asks what they can do and what their words mean, but starts none. */
export const realDrivers = driversWith({ opencodeBridge: [] })
