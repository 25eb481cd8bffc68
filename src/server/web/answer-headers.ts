// Owns the headers of every answer that tell a browser what it may not do with it.
import type { MiddlewareHandler } from 'hono'

/** No script but our own files. Styles may be inline: the terminal and some widgets make theirs while they run. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'"

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'x-frame-options': 'DENY',
}

export const answerHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(ALWAYS)) c.header(name, value)
  const isPage = c.res.headers.get('content-type')?.startsWith('text/html') ?? false
  c.header('content-security-policy', isPage ? PAGE_POLICY : DATA_POLICY)
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}
