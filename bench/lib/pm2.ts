// pm2, a plain process supervisor, in a home of its own: what restarting costs when nothing is remembered or resumed.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Home } from './home.ts'
import { installerEnv } from './installing.ts'

const VERSION = '7.0.4'

/** Installed for this run alone: only this bench needs it. Undefined when npm cannot get it. */
export function installPm2(home: Home): string | undefined {
  const place = join(home.root, 'pm2-package')
  const npm = ['install', '--prefix', place, '--no-audit', '--no-fund', '--ignore-scripts', `pm2@${VERSION}`]
  try {
    mkdirSync(place)
    execFileSync('npm', npm, { stdio: 'ignore', env: installerEnv() })
    return join(place, 'node_modules/pm2/bin/pm2')
  } catch {
    return undefined
  }
}

/** Its daemon and all it started carry the home's path, and go when the home ends. It listens on unix sockets there. */
export function startUnderPm2(pm2: string, home: Home, script: string, count: number): void {
  const place = join(home.root, 'pm2')
  const apps = Array.from({ length: count }, (_, n) => ({
    name: `light-${count}-${n}`,
    script,
    interpreter: 'none',
    cwd: home.project,
    autorestart: true,
    max_restarts: 1_000_000,
    min_uptime: 0,
    restart_delay: 0,
    vizion: false,
  }))
  const file = join(home.root, `pm2-${count}.json`)
  writeFileSync(file, JSON.stringify({ apps }))
  const env = { ...home.env, PM2_HOME: place, PM2_DISABLE_VERSION_CHECK: 'true', NO_COLOR: '1' }
  execFileSync(process.execPath, [pm2, 'start', file], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (!existsSync(join(place, 'pm2.pid'))) throw new Error('pm2 started elsewhere')
}
