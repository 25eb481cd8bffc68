// Owns the types by which a client is told what a route needs and answers.
import type { Api, Route } from './api.ts'

/** What a route needs: its `id`, `query` and `body`, if it has them. */
export type RouteNeeds<R extends Route> = (R extends `${string}:id${string}`
  ? { readonly id: string }
  : unknown) &
  (Api[R] extends { query: infer Query } ? { readonly query: Query } : unknown) &
  (Api[R] extends { in: infer Body } ? { readonly body: Body } : unknown)

/** The same as arguments: none for a route that needs nothing. */
export type RouteArguments<R extends Route> = unknown extends RouteNeeds<R> ? [] : [needs: RouteNeeds<R>]

/** One request, one JSON answer. */
export type CallRoute = <R extends Route>(route: R, ...needs: RouteArguments<R>) => Promise<Api[R]['out']>
