// Owns the page's files over HTTP. A path without an extension is a place in the page, which finds its way itself.
import { type Context, Hono } from 'hono'
import type { PageFile } from '../../ports/page-files.ts'
import type { ServerContext } from '../context.ts'
import { plainPage } from './plain-page.ts'

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
}
/** Their names change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable'

export function pageRoutes({ page }: Pick<ServerContext, 'page'>): Hono {
  const routes = new Hono()
  routes.get('*', async (c, next) => {
    if (/^\/(api|mcp|metrics)(\/|$)/.test(c.req.path)) return await next()
    const path = decodeURIComponent(c.req.path).slice(1)
    const extension = /\.([a-z0-9]+)$/i.exec(path)?.[1]
    const file = extension === undefined ? undefined : await page.read(path)
    if (file !== undefined) return send(c, file, path)
    if (extension !== undefined && c.req.header('sec-fetch-dest') !== 'document') return await next()
    const index = await page.read('index.html')
    return index === undefined ? c.html(NOT_BUILT, 503) : send(c, index, 'index.html')
  })
  return routes
}

function send(c: Context, { bytes, gzip, hash }: PageFile, path: string): Response {
  const tag = `"${hash}"`
  c.header('cache-control', path.startsWith('assets/') ? FOR_EVER : 'no-cache')
  c.header('etag', tag)
  c.header('vary', 'accept-encoding')
  if (c.req.header('if-none-match') === tag) return c.body(null, 304)
  c.header('content-type', TYPES[/[^.]*$/.exec(path)?.[0] ?? ''] ?? 'application/octet-stream')
  if (gzip === null || !/\bgzip\b/.test(c.req.header('accept-encoding') ?? '')) return c.body(bytes)
  c.header('content-encoding', 'gzip')
  return c.body(gzip)
}

const NOT_BUILT = plainPage('The page is not there', [
  'This copy of Holdfast was built without its page. In a checkout, `npm run build` makes it.',
  'The command line and the HTTP API work as usual.',
])
