import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import type { ScreenView } from '../../../../../src/ports/run/screen.ts'
import { heardBy, scriptedAgent } from '../../../../helpers/scripted-agent.ts'
import { tempDir } from '../../../../helpers/temp-dir.ts'
import { waitFor } from '../../../../helpers/wait-for.ts'

const execute = promisify(execFile)

/** Outlives the agent and tells its exit code: a pane that dies is scrolled and loses its cursor. */
const SHELL = ['sh', '-c', '"$@"; echo "ended $?"; exec sleep 1000', 'sh']

const PASTE = 'paste-buffer -d -p -r -b b -t a'.split(' ')

/** The agent's TUI in a real tmux on a private socket. */
export class TuiAgent {
  readonly home: string
  readonly dir = tempDir()
  readonly #socket = join(tempDir(), 's')

  private constructor(home: string) {
    this.home = home
  }

  static async start(...args: string[]): Promise<TuiAgent> {
    return TuiAgent.startIn(tempDir(), ...args)
  }

  static async startIn(home: string, ...args: string[]): Promise<TuiAgent> {
    return TuiAgent.launch(home, [...(await scriptedAgent()), '--tui', ...args])
  }

  static async launch(home: string, program: readonly string[]): Promise<TuiAgent> {
    const agent = new TuiAgent(home)
    const argv = ['env', `SCRIPTED_AGENT_HOME=${home}`, ...SHELL, ...program]
    onTestFinished(() => void spawnSync('tmux', ['-S', agent.#socket, 'kill-server']))
    await agent.tmux('new-session', '-d', '-s', 'a', '-x', '100', '-y', '30', '-c', agent.dir, '--', ...argv)
    await agent.shows('Idle')
    return agent
  }

  async tmux(...args: string[]): Promise<string> {
    return (await execute('tmux', ['-S', this.#socket, '-f', '/dev/null', ...args])).stdout
  }

  keys = (...keys: string[]) => this.tmux('send-keys', '-t', 'a', ...keys)
  /** Presses them as the driver names them; a lone `;` would end the command. */
  press = (keys: readonly string[]) => this.keys(...keys.map((key) => (key === ';' ? '\\;' : key)))
  screen = () => this.tmux('capture-pane', '-p', '-t', 'a')
  ask = async (format: string) => (await this.tmux('display-message', '-p', '-t', 'a', format)).trim()

  /** What the driver is given to read. */
  async view(): Promise<Required<ScreenView>> {
    const [x, y, ...title] = (await this.ask('#{cursor_x} #{cursor_y} #{pane_title}')).split(' ')
    return { text: await this.screen(), title: title.join(' '), cursor: { x: Number(x), y: Number(y) } }
  }

  async paste(text: string): Promise<void> {
    const file = join(this.dir, '.paste')
    writeFileSync(file, text)
    await this.tmux('load-buffer', '-b', 'b', file, ';', ...PASTE)
  }

  /** Waits until the screen has it, and gives that screen. */
  async shows(text: string | RegExp): Promise<string> {
    const has = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen))
    let last = ''
    return waitFor(`${text} on the screen`, async () => {
      last = await this.screen()
      return has(last) && last
    }).catch((error: Error) => Promise.reject(new Error(`${error.message}\n${last}`)))
  }

  async send(text: string): Promise<void> {
    await this.paste(text)
    await this.shows(`> ${text.split('\n')[0]}`)
    await this.keys('Enter')
  }

  /** Signals the agent itself, the only child of the shell. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    const shell = await this.ask('#{pane_pid}')
    process.kill(Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8')), signal)
  }

  get id(): string {
    return String(readdirSync(join(this.home, 'sessions'))[0]).replace('.jsonl', '')
  }

  heard = () => heardBy(this.home, this.id).map(({ heard }) => heard)
}
