// Debian's Chromium, one for each test file, with a context of its own for each test: cookies, storage, size and theme.
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'
import { launchChromium, launchWithProfile } from '../../helpers/chromium.ts'
import { tempDir } from '../../helpers/temp-dir.ts'

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

/** A browser of its own with a profile, not a private window. Goes when the test ends. */
export async function openProfile(): Promise<BrowserContext> {
  const context = await launchWithProfile(tempDir('hfprofile'))
  onTestFinished(() => context.close())
  return context
}
