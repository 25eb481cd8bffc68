// Owns what a person sees in a browser whose request was refused.
import type { Context } from 'hono'
import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import type { HoldfastError } from '../../domain/errors.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import { plainPage } from './plain-page.ts'

/** Somebody follows a link or types an address; everything else reads JSON. */
export const wantsPage = (c: Context) =>
  c.req.method === 'GET' &&
  !/^\/(api|mcp|metrics)(\/|$)/.test(c.req.path) &&
  (c.req.header('accept') ?? '').includes('text/html')

/** Path and query as they were asked for, never the name of another site: `//evil.example` would be one. */
function ownAddress(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname.replace(/^\/+/, '/') + search
}

export function refusalPage(c: Context, { code, message }: HoldfastError): string {
  if (code === 'LOGIN_REQUIRED' && c.req.header('sec-fetch-site') === 'cross-site')
    // A browser keeps a strict cookie back when another site links here. It sends it when the page itself asks again.
    return plainPage('One moment', ['Opening the page …'], { again: ownAddress(c.req.url) })
  const title = code === 'LOGIN_REQUIRED' ? 'Holdfast' : 'This does not work'
  return plainPage(title, [redactSecrets(message), errorCatalogue[code].hint])
}
