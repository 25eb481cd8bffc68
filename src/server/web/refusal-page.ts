// Owns what a person sees in a browser whose request was refused.
import type { Context } from 'hono'
import { errorCatalogue, type HoldfastError } from '../../domain/errors.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import { plainPage } from './plain-page.ts'

/** Somebody follows a link or types an address; everything else reads JSON. */
export const wantsPage = (c: Context) =>
  c.req.method === 'GET' &&
  !/^\/(api|mcp|metrics)(\/|$)/.test(c.req.path) &&
  (c.req.header('accept') ?? '').includes('text/html')

export function refusalPage(c: Context, { code, message }: HoldfastError): string {
  if (code === 'LOGIN_REQUIRED' && c.req.header('sec-fetch-site') === 'cross-site')
    // A browser keeps a strict cookie back when another site links here. It sends it when the page itself asks again.
    return plainPage('One moment', ['Opening the page …'], { again: c.req.path })
  const title = code === 'LOGIN_REQUIRED' ? 'Holdfast' : 'This does not work'
  return plainPage(title, [redactSecrets(message), errorCatalogue[code].hint])
}
