import { text } from 'node:stream/consumers'
import { HoldfastError, messageOf } from '../../../domain/errors.ts'
import { printable } from '../../../domain/names/names.ts'
import { callTool, fieldsOf, findTool, type InputSchema, inputSchema, tools } from '../../../mcp/call-tool.ts'
import type { InputOf } from '../../commands.ts'
import type { Context } from '../../context.ts'
import { toolWorld } from './tool-world.ts'

export async function bridge({ args, options }: InputOf<'bridge'>, context: Context): Promise<number> {
  const { verb, field: given } = args
  if (verb === undefined) return listTools(context)
  if (options.input !== undefined && given.length > 0)
    throw new HoldfastError('USAGE', 'Give the fields one by one, or all of them with --input.')
  const schema = inputSchema(findTool(verb))
  const input =
    options.input === undefined ? fromFields(given, schema) : fromJson(await jsonText(options.input))
  context.out(JSON.stringify(await callTool(verb, input, toolWorld(context)), null, 2))
  return 0
}

function listTools(context: Context): number {
  const rows = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input: inputSchema(tool),
  }))
  context.show({ tools: rows }, () =>
    tools.flatMap((tool) => [`${tool.name} (${fieldsOf(tool)})`, `  ${tool.description}`]),
  )
  return 0
}

const jsonText = (given: string) => (given === '-' ? text(process.stdin) : given)

function fromJson(given: string): unknown {
  try {
    return JSON.parse(given)
  } catch (error) {
    throw new HoldfastError('USAGE', `--input is not JSON: ${messageOf(error)}`)
  }
}

/** A field is read by the type that the tool gives it; what is no text there is JSON. */
function fromFields(given: readonly string[], { properties }: InputSchema): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (const pair of given) {
    const at = pair.indexOf('=')
    const name = pair.slice(0, at)
    const spec = at < 1 ? undefined : properties[name]
    if (spec === undefined)
      throw new HoldfastError(
        'USAGE',
        `'${printable(pair)}' is not NAME=VALUE with one of: ${Object.keys(properties).join(', ')}.`,
      )
    const value = pair.slice(at + 1)
    if (spec.type === 'array') input[name] = [...((input[name] as unknown[]) ?? []), value]
    else input[name] = spec.type === 'string' ? value : jsonOr(value)
  }
  return input
}

/** The tool says what is wrong with a text where it takes none. */
function jsonOr(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
