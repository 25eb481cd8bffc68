import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { pageRoutes } from '../../../src/server/web/page.ts'
import { DiskPageFiles } from '../../../src/system/web/page-files.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`

function built() {
  const dir = join(tempDir(), 'web')
  mkdirSync(join(dir, 'assets'), { recursive: true })
  writeFileSync(join(dir, 'index.html'), '<!doctype html><title>Holdfast</title>')
  writeFileSync(join(dir, 'assets/index-1a2b.js'), SCRIPT)
  writeFileSync(join(dir, 'manifest.webmanifest'), '{}')
  writeFileSync(join(dir, '../secret.txt'), 'secret')
  const routes = pageRoutes({ page: new DiskPageFiles(dir) })
  return async (path: string, headers: Record<string, string> = {}) =>
    await routes.request(`http://127.0.0.1${path}`, { headers })
}

test('files have their types, and are kept for ever where their name has a hash', async () => {
  const get = built()
  const script = await get('/assets/index-1a2b.js')
  expect([script.status, await script.text()]).toEqual([200, SCRIPT])
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const manifest = await get('/manifest.webmanifest')
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json')
  expect(manifest.headers.get('cache-control')).toBe('no-cache')
})

test('a place in the page is the page; a file that is not there is not', async () => {
  const get = built()
  for (const path of ['/', '/tasks/20251118-153042-x', '/all?status=RUNNING'])
    expect(await (await get(path)).text()).toContain('<title>Holdfast</title>')
  // An id may have a dot in it.
  expect((await get('/tasks/fix-login.2', { 'sec-fetch-dest': 'document' })).status).toBe(200)
  for (const path of ['/assets/old-9z.js', '/favicon.ico', '/secret.txt', '/assets/..%2f..%2fsecret.txt'])
    expect((await get(path)).status, path).toBe(404)
})

test('what a browser has already is not sent again, and what can be packed is', async () => {
  const get = built()
  const first = await get('/')
  const tag = first.headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': tag })).status).toBe(304)
  const packed = await get('/assets/index-1a2b.js', { 'accept-encoding': 'gzip, br' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()).toBe(SCRIPT)
})

test('a page that was not built is said not to be there, until it is', async () => {
  const dir = join(tempDir(), 'web')
  const routes = pageRoutes({ page: new DiskPageFiles(dir) })
  const before = await routes.request('http://127.0.0.1/')
  expect([before.status, await before.text()]).toEqual([
    503,
    expect.stringContaining('built without its page'),
  ])
  mkdirSync(dir)
  writeFileSync(join(dir, 'index.html'), 'the page')
  expect(await (await routes.request('http://127.0.0.1/')).text()).toBe('the page')
})
