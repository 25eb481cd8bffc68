// Debian's Chromium, without a window.
import { spawnSync } from 'node:child_process'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'

/** `npm run test:web` installs it where it may. */
function findChromium(): string {
  const { stdout, status } = spawnSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'])
  if (status !== 0) throw new Error('Chromium not found. Install it with: sudo apt-get install chromium')
  return String(stdout).trim()
}

const options = () => ({
  executablePath: findChromium(),
  // Chromium refuses to sandbox itself for root, as in a container.
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})

export const launchChromium = (): Promise<Browser> => chromium.launch(options())

/** One that remembers, as people have it: contexts of the other one are like private windows. */
export const launchWithProfile = (directory: string): Promise<BrowserContext> =>
  chromium.launchPersistentContext(directory, options())
