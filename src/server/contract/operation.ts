// Owns what has to be told of each route for the API document; `src/server/contract/operations/` tells it.
import type * as z from 'zod/mini'
import type { Api, Route } from '../../protocol/api.ts'

export type Parameter = { readonly about: string; readonly words?: readonly string[] }

/** Answers that are no JSON. */
export type TextKind = 'text/plain' | 'text/event-stream'

/**
 * What the API document says of a route. `id`: what generated clients call it. `lines`: the answer is JSON lines for a client
 * that accepts them, else one JSON value of this shape.
 */
export type Operation<R extends Route> = {
  readonly id: string
  readonly summary: string
  readonly more?: string
  /** 201 where something is made. */
  readonly status?: 201
} & (Api[R] extends { query: infer Query }
  ? { readonly query: { readonly [K in keyof Required<Query>]: Parameter } }
  : unknown) &
  (Api[R] extends { in: infer Body } ? { readonly body: z.ZodMiniType<Body> } : unknown) &
  (string extends Api[R]['out']
    ? { readonly text: TextKind } | { readonly lines: z.ZodMiniType }
    : { readonly answer: z.ZodMiniType<Api[R]['out']> })

/** All operations of these routes. */
export type Operations<R extends Route> = { readonly [K in R]: Operation<K> }
