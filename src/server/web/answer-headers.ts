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
/** A worker has the policy of its script, not that of the page: it may ask this daemon, and nobody else. */
const SCRIPT_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
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
  // The headers of a 304 replace those of the page that the browser kept, and a 304 names no content type.
  if (c.res.status !== 304) c.header('content-security-policy', policyOf(c.res.headers.get('content-type')))
  if (!c.res.headers.has('cache-control')) c.header('cache-control', 'no-store')
}

function policyOf(contentType: string | null): string {
  if (contentType?.startsWith('text/html')) return PAGE_POLICY
  return contentType?.startsWith('text/javascript') ? SCRIPT_POLICY : DATA_POLICY
}
