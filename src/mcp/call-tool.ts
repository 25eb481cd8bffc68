// Owns one call of a tool: what was given is checked, then the tool asks the daemon.
import * as z from 'zod/mini'
import { HoldfastError } from '../domain/errors.ts'
import { printable } from '../domain/names/names.ts'
import { nearest } from '../domain/names/nearest.ts'
import { refusal } from '../protocol/refusal.ts'
import type { Tool, ToolWorld } from './tool.ts'
import { tools } from './tools.ts'

export { tools } from './tools.ts'

export async function callTool(name: string, given: unknown, world: ToolWorld): Promise<object> {
  const tool = findTool(name)
  const parsed = tool.input.safeParse(given ?? {})
  if (!parsed.success)
    throw new HoldfastError(
      'INVALID_REQUEST',
      `${refusal(parsed.error.issues, given ?? {})} ${name} takes: ${fieldsOf(tool)}.`,
    )
  return await tool.handle(parsed.data as never, world)
}

export function findTool(name: string): Tool {
  const found = tools.find((tool) => tool.name === name)
  if (found !== undefined) return found
  const names = tools.map((tool) => tool.name)
  const guess = nearest(name.slice(0, 80), names)
  const hint = guess === undefined ? '' : ` Did you mean '${guess}'?`
  throw new HoldfastError(
    'INVALID_REQUEST',
    `There is no tool '${printable(name)}'.${hint} The tools: ${names.join(', ')}.`,
  )
}

export type InputSchema = {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, { readonly type?: string; readonly description?: string }>>
  readonly required?: readonly string[]
}

/** As MCP shows it to a model. */
export function inputSchema({ input }: Tool): InputSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(input, { io: 'input' })
  return schema as InputSchema
}

/** Open for more fields, as answers are. */
export function outputSchema({ output }: Tool): Readonly<Record<string, unknown>> {
  const { $schema: _, ...schema } = z.toJSONSchema(output, { io: 'input' })
  return schema
}

/** `task, reason?` */
export function fieldsOf(tool: Tool): string {
  const { properties, required = [] } = inputSchema(tool)
  const names = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`))
  return names.length === 0 ? 'nothing' : names.join(', ')
}
