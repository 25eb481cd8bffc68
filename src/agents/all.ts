// Owns the list of coding agents, in the order in which they are tried when a task names none.
import type { AgentDriver } from '../ports/run/agent-driver.ts'
import { claudeDriver } from './claude/driver.ts'
import { codexDriver } from './codex/driver.ts'
import { opencodeDriver } from './opencode/driver.ts'
import { piDriver } from './pi/driver.ts'

/** The beginning of the argv of programs that come with Holdfast and that agents need. */
export type OwnPrograms = { readonly opencodeBridge: readonly string[] }

export const driversWith = ({ opencodeBridge }: OwnPrograms): readonly AgentDriver[] => [
  claudeDriver,
  codexDriver,
  opencodeDriver({ bridge: opencodeBridge }),
  piDriver,
]

/** For callers that start no agent, but ask what agents can do and what their lines and screens mean. */
export const realDrivers = driversWith({ opencodeBridge: [] })
