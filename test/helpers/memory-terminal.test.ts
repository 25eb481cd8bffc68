import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import type { TerminalEvent } from '../../src/ports/run/terminal.ts'
import type { StartTerminal } from '../contract/terminal/terminal-world.ts'
import { terminalContract } from '../contract/terminal-contract.ts'
import { MemoryTerminal } from './memory-terminal.ts'
import { TestClock } from './test-clock.ts'

const start: StartTerminal = async ({ restMs, isThere = true } = {}) => {
  const clock = new TestClock()
  const terminal = new MemoryTerminal({ clock, ...(restMs === undefined ? {} : { restMs }) })
  terminal.setThere(isThere)
  const events: TerminalEvent[] = []
  terminal.onEvent((event) => void events.push(event))
  await terminal.start()
  return {
    terminal,
    events,
    dir: tmpdir(),
    now: clock.now,
    async opens(name, { text = '', title = '', mark = name } = {}) {
      const pane = await terminal.open({ task: name, mark, argv: ['program'], cwd: tmpdir() })
      const lines = text.split('\n')
      terminal.draw(name, { text, title, cursor: { x: lines.at(-1)!.length, y: lines.length - 1 } })
      return pane
    },
    typed: async (name) => terminal.typed(name).flatMap(keyByKey),
    dies: async (name) => terminal.dies(name),
    setInMode: async (name, inMode) => terminal.setInMode(name, inMode),
    personTypes: async (name) => terminal.personTypes(name),
    killServer: async () => terminal.killServer(),
    stopServer: () => terminal.stopServer(),
    continueServer: () => terminal.continueServer(),
    setThere: (there) => terminal.setThere(there),
    pass: (ms) => clock.pass(ms),
  }
}

function keyByKey(typed: string): string[] {
  const [, how, what] = /^(\w+) (.*)$/s.exec(typed)!
  return how === 'paste' ? [typed] : what!.split(' ').map((key) => `press ${key}`)
}

terminalContract(start)

test('silence is noticed by a heartbeat too', async () => {
  const clock = new TestClock()
  const terminal = new MemoryTerminal({ clock })
  await terminal.start()
  terminal.stopServer()
  expect(terminal.health()).toBe('up')
  await clock.pass(10_000)
  expect(terminal.health()).toBe('hung')
})
