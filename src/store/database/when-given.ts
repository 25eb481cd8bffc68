/** For `$call`: what a value adds to a query, where there is one. */
export const whenGiven =
  <Query, Value>(value: Value | null | undefined, add: (query: Query, value: Value) => Query) =>
  (query: Query): Query =>
    value === undefined || value === null ? query : add(query, value)
