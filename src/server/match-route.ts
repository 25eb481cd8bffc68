/** Finds which of these routes a request is for. A fixed address wins over one with an id. */
export function routeMatcher<Route extends string>(
  routes: readonly Route[],
): (method: string, path: string) => Route | undefined {
  const fixed = new Map<string, Route>(routes.map((route) => [route, route]))
  const patterns = routes
    .filter((route) => route.includes('/:'))
    .map((route) => ({ route, pattern: new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}/?$`) }))
  return (method, path) => {
    const asked = `${method} ${path}`
    return fixed.get(asked.replace(/\/$/, '')) ?? patterns.find(({ pattern }) => pattern.test(asked))?.route
  }
}
