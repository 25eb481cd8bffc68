// Owns the HTTP surface: routes put together, errors turned into {code, message, hint}.
import { Hono } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { errorCatalogue, HoldfastError, messageOf } from '../domain/errors.ts'
import { type ErrorJson, HEADER_VERSION } from '../protocol/api.ts'
import { auditRoutes } from './audit-routes.ts'
import type { ServerContext } from './context.ts'
import { houseRoutes } from './house-routes.ts'
import { lifeRoutes } from './life-routes.ts'
import { monitorRoutes } from './monitor-routes.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { streamRoutes } from './stream-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { trustRoutes } from './trust-routes.ts'
import { verifyRoutes } from './verify-routes.ts'

export function serverApp(context: ServerContext): Hono {
  const app = new Hono()
  app.use(async (c, next) => {
    await next()
    c.header(HEADER_VERSION, context.about.version)
  })
  app.route('/api/tasks', taskRoutes(context))
  app.route('/api/tasks', streamRoutes(context))
  app.route('/api/tasks', lifeRoutes(context))
  app.route('/api', recoveryRoutes(context))
  app.route('/api/monitor', monitorRoutes(context))
  app.route('/api/audit', auditRoutes(context))
  app.route('/api/trust', trustRoutes(context))
  app.route('/api', verifyRoutes(context))
  app.route('/api', houseRoutes(context))
  app.notFound((c) =>
    c.json(
      errorJson(new HoldfastError('INVALID_REQUEST', `No such route: ${c.req.method} ${c.req.path}`)),
      404,
    ),
  )
  app.onError((error, c) => {
    const known = error instanceof HoldfastError
    if (!known)
      context.supervisor.core.log.error('request failed', {
        path: c.req.path,
        error: messageOf(error),
        stack: error.stack,
      })
    const told = known ? error : new HoldfastError('INTERNAL', messageOf(error))
    return c.json(errorJson(told), errorCatalogue[told.code].http as ContentfulStatusCode)
  })
  return app
}

const errorJson = (error: HoldfastError): ErrorJson => ({
  code: error.code,
  message: error.message,
  hint: errorCatalogue[error.code].hint,
})
