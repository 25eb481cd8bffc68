// Debian's Chromium, one for each test file, with a context of its own for each test: cookies, storage, size and theme.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { launchChromium } from '../../helpers/chromium.ts'

let running: Promise<Browser> | undefined
afterAll(async () => (await running)?.close())

export type Look = Pick<BrowserContextOptions, 'colorScheme' | 'reducedMotion' | 'viewport' | 'timezoneId'>

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const

/** Goes when the test ends. */
export async function openContext(look: BrowserContextOptions = {}): Promise<BrowserContext> {
  running ??= launchChromium()
  const context = await (await running).newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: 'reduce',
    ...look,
  })
  onTestFinished(() => context.close())
  return context
}
