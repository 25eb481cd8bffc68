import { Hono } from 'hono'
import type { ServerContext } from '../../context.ts'

/** For Prometheus, which scrapes it. */
export function metricsRoutes({ metrics }: Pick<ServerContext, 'metrics'>): Hono {
  const routes = new Hono()
  routes.get('/', async (c) => c.text(await metrics.text(), 200, { 'content-type': metrics.contentType }))
  return routes
}
