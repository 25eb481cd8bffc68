// Owns the shapes of answers that have a name: each is one entry of the OpenAPI document. The types of the protocol are the
// same shapes, and the compiler compares the two.
import * as z from 'zod/mini'

export const answers = z.registry<{ id: string }>()

/** `name`: as in the protocol and in docs/json-output.md. */
export function named<S extends z.ZodMiniType>(name: string, schema: S): S {
  answers.add(schema, { id: name })
  return schema
}

/** A word of ours from a list that may grow. */
export const word = <T extends string>() => z.string() as unknown as z.ZodMiniType<T, string>
export const oneOf = <const T extends string>(words: readonly T[]) => z.enum(words as readonly [T, ...T[]])

export const orNull = z.nullable
/** ISO 8601, in UTC. */
export const time = z.string()
export const count = z.int()
