// Debian's Chromium, one for each test file, with a context of its own for each test: cookies, storage, size and theme.
import { spawnSync } from 'node:child_process'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { afterAll, onTestFinished } from 'vitest'

let running: Promise<Browser> | undefined
afterAll(async () => (await running)?.close())

/** `npm run test:web` installs it where it may. */
function findChromium(): string {
  const { stdout, status } = spawnSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'])
  if (status !== 0) throw new Error('Chromium not found. Install it with: sudo apt-get install chromium')
  return String(stdout).trim()
}

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium(),
    // Chromium refuses to sandbox itself for root, as in a container.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })

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
