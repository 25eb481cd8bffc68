import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { HoldfastError } from '../../src/domain/errors.ts'
import type { StartTerminal } from '../contract/terminal/terminal-world.ts'
import { terminalContract } from '../contract/terminal-contract.ts'
import { attachSmall, privateTmux, skippableClock, terminalOn, trySignal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'

/** Asks for bracketed pastes, draws, and writes every byte it gets to a file. */
const program = (file: string, drawn: string) => [
  '/bin/sh',
  '-c',
  'stty raw -echo; printf "\\033[?2004h%s" "$1"; exec cat > "$0"',
  file,
  drawn,
]

const start: StartTerminal = async ({ restMs, isThere = true } = {}) => {
  const server = privateTmux()
  const { dir, tmux } = server
  const clock = skippableClock()
  let there = isThere
  const find = async () => {
    if (there) return 'tmux'
    throw new HoldfastError('TMUX_MISSING', 'There is no tmux on the PATH.')
  }
  const options = { clock, find, heartbeatTimeoutMs: 1_000, ...(restMs === undefined ? {} : { restMs }) }
  const { terminal, events } = terminalOn(server.socket, options)
  await terminal.startOrKeepTrying()
  server.serverPid()
  let stopped = 0
  const file = (name: string) => join(dir, `${name}.got`)
  const paneOf = async (name: string) =>
    (await terminal.panes()).find((pane) => pane.session === `hf-${name}`)!
  return {
    terminal,
    events,
    dir,
    now: () => clock.now(),
    async opens(name, { text = '', title, mark = name } = {}) {
      const drawn = `${title === undefined ? '' : `\x1b]2;${title}\x07`}${text.replaceAll('\n', '\r\n')}`
      const pane = await terminal.open({ task: name, mark, argv: program(file(name), drawn), cwd: dir })
      await waitFor('it to be drawn', async () => (await terminal.readScreen(name, mark)) === text)
      return pane
    },
    async typed(name) {
      const { dead, mark } = await paneOf(name)
      if (dead) return bytesAsTyped(readFileSync(file(name), 'latin1'))
      // A last key tells that nothing more is under way.
      await terminal.press(name, mark, 'last', ['C-d'])
      const bytes = await waitFor('the last key', () =>
        /^(.*)\x04$/s.exec(readFileSync(file(name), 'latin1')),
      )
      return bytesAsTyped(bytes[1]!)
    },
    async dies(name) {
      process.kill((await paneOf(name)).pid, 'SIGKILL')
      await waitFor('its death', async () => (await paneOf(name)).dead)
    },
    async setInMode(name, inMode) {
      if (inMode) tmux('copy-mode', '-t', `=hf-${name}:`)
      else tmux('send-keys', '-X', '-t', `=hf-${name}:`, 'cancel')
    },
    async personTypes(name) {
      const { mark } = await paneOf(name)
      const person = attachSmall(terminal.attachArgv(name, { readOnly: false }))
      await waitFor('the person to be there', () => tmux('list-clients').includes(`${name} `))
      person.tmux('send-keys', 'x')
      await waitFor('the key', async () => (await terminal.look(name, mark))?.keyAgeMs != null)
    },
    async killServer() {
      const told = events.length
      process.kill(server.serverPid()!, 'SIGKILL')
      await waitFor('the death and what follows', () => events.length >= told + 2)
      server.serverPid()
    },
    stopServer() {
      stopped = server.serverPid()!
      trySignal(stopped, 'SIGSTOP')
    },
    continueServer: () => trySignal(stopped, 'SIGCONT'),
    setThere: (isNow) => {
      there = isNow
    },
    /** What tmux itself counts needs real time; longer waits are ours, and our clock can jump. */
    async pass(ms) {
      if (ms <= 2_000) await new Promise((resume) => setTimeout(resume, ms))
      else clock.skip(ms)
    },
  }
}

const KEYS: Record<string, string> = { '\r': 'Enter', '\x15': 'C-u', '\x0b': 'C-k' }

const bytesAsTyped = (bytes: string): string[] =>
  [
    ...Buffer.from(bytes, 'latin1')
      .toString('utf8')
      .matchAll(/\x1b\[200~(.*?)\x1b\[201~|(.)/gs),
  ].map(([, text, key]) => (text === undefined ? `press ${KEYS[key!] ?? key}` : `paste ${text}`))

terminalContract(start)
