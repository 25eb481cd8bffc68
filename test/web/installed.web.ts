// The page as an app on somebody's machine: it can be installed, and it is small.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openProfile } from './lib/browser.ts'
import { expectNoErrors, startPageWorld } from './lib/page-world.ts'

test('a browser finds nothing that keeps the page from being installed', async () => {
  const world = await startPageWorld()
  const { page, context } = await world.signIn({}, await openProfile())
  const session = await context.newCDPSession(page)
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] })
  expectNoErrors(world)
})

test('what the first screen loads is less than 200 KB when it is packed', () => {
  const page = 'dist/web'
  const document = readFileSync(join(page, 'index.html'), 'utf8')
  const named = [...document.matchAll(/(?:src|href)="\/([^"]+)"/g)].map(([, name]) => name!)
  const worker = readdirSync(join(page, 'assets')).filter((name) => name.startsWith('stream-worker'))
  expect(worker).toHaveLength(1)
  const files = ['index.html', 'sw.js', ...new Set(named), ...worker.map((name) => `assets/${name}`)]
  expect(files.filter((name) => /terminal|chart/.test(name))).toEqual([])
  const bytes = files.map((name) => gzipSync(readFileSync(join(page, name))).length)
  expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(200 * 1024)
})
