// Owns starting OpenCode's programs: its server, for this bridge only, and its screen.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { Api } from './api.ts'
import type { Stop } from './stop.ts'

const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)/

export type Server = { readonly url: string; readonly env: NodeJS.ProcessEnv; readonly api: Api }

/** The server gets a password for this run only, so that nobody else can use it. */
export async function startServer(
  { dir, tui }: { readonly dir: string; readonly tui: boolean },
  stop: Stop,
): Promise<Server> {
  const login = { username: 'holdfast', password: randomUUID() }
  const env = {
    ...process.env,
    OPENCODE_SERVER_USERNAME: login.username,
    OPENCODE_SERVER_PASSWORD: login.password,
  }
  const network = ['--hostname=127.0.0.1', '--port=0', '--mdns=false']
  const child = spawn('opencode', ['serve', ...network, '--print-logs', '--log-level=ERROR'], {
    cwd: dir,
    env,
    stdio: ['ignore', 'pipe', tui ? 'pipe' : 'inherit'],
  })
  stop.with(child)
  const url = await addressOf(child)
  return { url, env, api: new Api(url, login, dir) }
}

/** When the server ends before it listens, the bridge ends too. What it logs later is dropped: it would disturb a screen. */
function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let said = ''
  stderr?.pipe(process.stderr, { end: false })
  return new Promise((resolve) => {
    stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = LISTENING.exec(said)?.[1]
      if (url === undefined) return
      stderr?.unpipe().resume()
      stdout.removeAllListeners('data').resume()
      resolve(url)
    })
  })
}

export function startTui({ url, env }: Server, session: string, dir: string, stop: Stop): void {
  const args = ['attach', url, `--dir=${dir}`, `--session=${session}`]
  stop.with(spawn('opencode', args, { cwd: dir, env, stdio: 'inherit' }))
}
