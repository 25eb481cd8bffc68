// Owns JSON Schema (draft 2020-12) for contracts. A schema with a keyword that we do not know is refused.
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { messageOf } from '../../domain/errors.ts'
import type { JsonSchema } from '../../domain/verify/contract.ts'

const MOST_FAILURES = 10
/** Schemas are not loaded from elsewhere, and `format` is not checked. */
const OPTIONS = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allErrors: false,
  validateFormats: false,
  ownProperties: true,
}

/** Why the schema cannot be used; undefined when it can. */
export function schemaProblem(schema: JsonSchema): string | undefined {
  try {
    compiled(schema)
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** What is wrong with the value, a line each. Empty: nothing. */
export function schemaFailures(schema: JsonSchema, value: unknown): string[] {
  const validate = compiled(schema)
  try {
    return validate(value) ? [] : (validate.errors ?? []).slice(0, MOST_FAILURES).map(lineOf)
  } catch (error) {
    // Values nested by the thousand exhaust the stack.
    if (error instanceof RangeError) return ['it is nested too deeply']
    throw error
  }
}

/** Each schema gets a compiler of its own, so that the `$id` of one does not disturb another. */
function compiled({ $schema: _, ...schema }: JsonSchema): ValidateFunction {
  return new Ajv2020(OPTIONS).compile(schema)
}

const lineOf = ({ instancePath, message, params }: ErrorObject) =>
  `${instancePath === '' ? 'it' : `'${instancePath.slice(1).replaceAll('/', '.')}'`} ${message}${detail(params)}`

/** What the message of the validator leaves out. */
function detail({ additionalProperty, allowedValues }: Record<string, unknown>): string {
  if (additionalProperty !== undefined) return ` ('${additionalProperty}')`
  return allowedValues === undefined ? '' : `: ${JSON.stringify(allowedValues)}`
}
