// A real daemon, its page opened by the one-time link in a real browser.
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import { startWorld, type World } from '../../helpers/world.ts'
import { openContext } from './browser.ts'

export type PageWorld = Awaited<ReturnType<typeof withPage>>
type WorldOptions = NonNullable<Parameters<typeof startWorld>[0]> & {
  /** Before the daemon starts. */
  readonly prepare?: (world: World) => Promise<void>
}

export async function startPageWorld({ prepare, ...options }: WorldOptions = {}) {
  const world = await startWorld(options)
  await prepare?.(world)
  return withPage(world)
}

/** The page of a world's daemon; also of one with other agents. */
export async function withPage(world: World) {
  const port = await freePort()
  const errors: string[] = []

  /** Another browser, or another person: signed in by a link of its own. `where`: a browser that is open already. */
  const signIn = async (
    look: BrowserContextOptions = {},
    where?: BrowserContext,
  ): Promise<{ context: BrowserContext; page: Page }> => {
    const context = where ?? (await openContext(look))
    // A warning of the browser about our own code is as good as an error.
    context.on('weberror', (error) => void errors.push(String(error.error())))
    context.on('console', (message) => {
      const said = `${message.text()} (${message.location().url})`
      if (message.type() === 'error' && !EXPECTED.some((pattern) => pattern.test(said))) errors.push(said)
    })
    const page = await context.newPage()
    const { link } = await world.json<{ link: string }>(['web', '--no-open', '--port', String(port)])
    await page.goto(link)
    await expectLive(page)
    onTestFinished(({ task }) => (task.result?.state === 'fail' ? tellWhatItShows(page) : undefined))
    return { context, page }
  }
  return {
    ...world,
    port,
    address: `http://127.0.0.1:${port}`,
    signIn,
    /** What the page's own code threw, and what the browser complained of. */
    errors,
    /** Shows a screen, and waits until it is live. */
    async visit(page: Page, path: string) {
      await page.goto(`http://127.0.0.1:${port}${path}`)
      await expectLive(page)
    },
  }
}

/** The browser tells of every request that failed: of a daemon that was killed, or that refused an order. */
const EXPECTED = [
  /^Failed to load resource: .*\/api\//,
  /^Failed to load resource: net::ERR_CONNECTION_REFUSED /,
  /^WebSocket connection to '[^']*\/api\/.* failed/,
]

/** The page has its stream, and says so. On a phone the sign is not drawn: the attribute is what counts. */
export const expectLive = (page: Page) =>
  page.locator('[data-live="live"]').first().waitFor({ state: 'attached', timeout: 20_000 })

/** `but`: what the test itself has brought about. */
export const expectNoErrors = ({ errors }: PageWorld, { but }: { readonly but?: RegExp } = {}) =>
  expect(errors.filter((error) => !but?.test(error))).toEqual([])

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** A failed test says where it was and what could be read there. */
async function tellWhatItShows(page: Page): Promise<void> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 1000 })
    .catch(() => 'nothing: it is closed')
  console.error(`${page.url()} shows:\n${text}`)
}
