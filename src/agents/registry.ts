import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { nearest } from '../domain/names/nearest.ts'
import type { AgentDriver } from '../ports/run/agent-driver.ts'

export type DriversByKind = {
  readonly kinds: readonly string[]
  /** AGENT_UNKNOWN names the known kinds, and the one that was probably meant. */
  get(kind: string): AgentDriver
}

export function driversByKind(drivers: readonly AgentDriver[]): DriversByKind {
  const byKind = new Map(drivers.map((driver) => [driver.kind, driver]))
  const kinds = [...byKind.keys()]
  return {
    kinds,
    get(kind) {
      const driver = byKind.get(kind)
      if (driver) return driver
      throw new HoldfastError('AGENT_UNKNOWN', unknownKind(kind, kinds))
    },
  }
}

function unknownKind(kind: string, kinds: readonly string[]): string {
  const meant = nearest(kind.toLowerCase(), kinds)
  const suggestion = meant === undefined ? '' : ` Did you mean '${meant}'?`
  return `There is no agent '${printable(kind)}'.${suggestion} Known: ${kinds.join(', ')}.`
}
