// Owns what a tool is: one row for MCP and for `bridge`. A tool asks the daemon, as every other client does.
import * as z from 'zod/mini'
import type { CallRoute } from '../protocol/route-needs.ts'

/** What the tools need of who offers them. */
export type ToolWorld = {
  /** One request to the daemon. Who asks is known by its token or its socket, never by an argument of a tool. */
  readonly call: CallRoute
  /** Where new tasks work when no directory is named. Undefined: where the task that asks works. */
  readonly dir: string | undefined
  /** For the environment of new tasks. Undefined: the daemon takes that of the task that asks. */
  readonly env: Record<string, string> | undefined
  /** A name that nobody else has. */
  newName(): string
  /** Milliseconds that only grow. */
  monotonic(): number
}

/** What MCP tells a client about a tool. All of ours act on Holdfast alone. */
export type Hints = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: false
}

export type Tool = {
  readonly name: string
  readonly description: string
  readonly hints: Hints
  readonly input: z.ZodMiniType<object>
  /** What it answers. */
  readonly output: z.ZodMiniType<object>
  readonly handle: (input: never, world: ToolWorld) => Promise<object>
}

export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const WRITES: Hints = { ...READS, readOnlyHint: false, idempotentHint: false }
export const ENDS: Hints = { ...WRITES, destructiveHint: true, idempotentHint: true }

/** The result is the protocol's own type, or a part of it. */
export function tool<Input extends object, Output extends object>(row: {
  readonly name: string
  readonly description: string
  readonly hints: Hints
  readonly input: z.ZodMiniType<Input>
  readonly output: z.ZodMiniType<Output>
  readonly handle: (input: Input, world: ToolWorld) => Promise<Output>
}): Tool {
  return row
}

/** A field's type with the words that a client is shown for it. */
export const field = <T extends z.ZodMiniType>(type: T, about: string): T =>
  type.check(z.describe(about)) as T

/** Agents cut longer calls: some after 60 seconds. */
export const LONGEST_SECONDS = 45

/** A name, a title, an id. */
export const shortText = () => z.string().check(z.minLength(1), z.maxLength(200))

export const taskId = () =>
  field(
    z.string().check(z.minLength(1), z.maxLength(200)),
    'The session: its id, its name, a part of its id that no other has, or `last`.',
  )
