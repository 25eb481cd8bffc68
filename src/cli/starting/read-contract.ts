// Owns the values of --verify: short forms, or files that hold a contract.
import { readFileSync } from 'node:fs'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import { parseContract } from '../../domain/verify/contract.ts'
import type { CreateTaskJson } from '../../protocol/json/create-json.ts'
import type { Context } from '../context.ts'

type Checks = CreateTaskJson['verify']

/** All given checks together; null for `none`, undefined when the option was not given. VERIFY_INVALID when one is wrong. */
export async function readContract(
  given: readonly string[],
  { path }: Pick<Context, 'path'>,
): Promise<Checks> {
  if (given.length === 0) return undefined
  if (given.includes('none')) {
    if (given.length === 1) return null
    throw new HoldfastError('USAGE', 'Option --verify: none cannot be combined with other values.')
  }
  const parts = await Promise.all(given.map((one) => checksOf(one, path)))
  return parts.flat()
}

async function checksOf(given: string, path: Context['path']): Promise<unknown[]> {
  const [, form, rest] = /^(file|cmd):(.*)$/s.exec(given) ?? []
  const raw =
    form === undefined ? await readChecks(given, path) : [form === 'cmd' ? { command: rest } : { file: rest }]
  parseContract(raw, form === undefined ? given : `--verify ${form}:`)
  return Array.isArray(raw) ? raw : (raw as { checks: unknown[] }).checks
}

async function readChecks(file: string, path: Context['path']): Promise<unknown> {
  const { parse } = await import('yaml')
  try {
    return parse(readFileSync(path(file), 'utf8'))
  } catch (error) {
    throw new HoldfastError(
      'VERIFY_INVALID',
      `--verify ${printable(file, 200)}: ${printable(firstLine(messageOf(error)), 200)}; a contract is a .yaml or .json file, file:PATH or cmd:COMMAND.`,
    )
  }
}
