import { existsSync } from 'node:fs'
import { exec } from '../../system/processes/exec.ts'

type Env = Readonly<Record<string, string | undefined>>

/** The program gives the link to a browser that runs already, or starts one: either way it ends soon. */
const PATIENCE_MS = 5000

/** False when there is no browser here, or nobody who would see it. */
export async function openInBrowser(link: string, env: Env): Promise<boolean> {
  const program = programFor(env)
  if (program === undefined) return false
  const { code, timedOut } = await exec([program, link], { env, timeoutMs: PATIENCE_MS, mostBytes: 0 })
  return code === 0 && !timedOut
}

function programFor(env: Env): string | undefined {
  if (env.SSH_CONNECTION || env.HOLDFAST_RUN || env.CI) return undefined
  if (process.platform === 'darwin') return 'open'
  if (env.WSL_DISTRO_NAME) return existsSync('/usr/bin/wslview') ? 'wslview' : 'explorer.exe'
  return env.DISPLAY || env.WAYLAND_DISPLAY ? 'xdg-open' : undefined
}
