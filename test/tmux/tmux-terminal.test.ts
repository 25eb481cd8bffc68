import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTerminal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { readIf, recorded, written } from './recorder.ts'

const SLEEP = ['sleep', '1000']
/** tmux tells once a second what has changed. */
const STILL_MS = 2500

test('a hostile working directory arrives byte for byte', async () => {
  const { terminal, dir } = await startTerminal()
  const names = [
    '#{pid}',
    '#(touch x)',
    '##',
    '##[x]#[y]',
    'a;',
    '"q"\'$HOME`~',
    'new\nline',
    'größe 😀',
    ' ',
    '%H#H',
  ]
  for (const [i, hostile] of names.entries()) {
    const cwd = join(dir, `d${hostile}`)
    mkdirSync(cwd)
    const argv = ['/bin/sh', '-c', 'pwd -P > "$0/w.tmp"; mv "$0/w.tmp" "$0/w"', cwd]
    await terminal.open({ task: `d-${i}`, mark: 'm', argv, cwd })
    expect(await written(join(cwd, 'w'))).toBe(`${cwd}\n`)
  }
})

test('the environment holds what was let in, byte for byte, and nothing of the daemon', async () => {
  const HOME = '/h "quoted"; #{pid} $X\nzeile\t😀'
  const env = { PATH: process.env.PATH, HOME, LANG: 'C.UTF-8', HOLDFAST_RUN: 'r', SECRET: 's', TMUX: 'x' }
  const { terminal, tmux, dir } = await startTerminal({ env })
  const argv = ['/bin/sh', '-c', 'env -0 > "$0.tmp"; mv "$0.tmp" "$0"', join(dir, 'env')]
  await terminal.open({ task: 'e', mark: 'm', argv, cwd: dir })
  const seen = new Map(
    (await recorded(join(dir, 'env'))).map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  )
  expect(seen.get('HOME')).toBe(HOME)
  expect(seen.get('PATH')).toBe(process.env.PATH)
  expect(seen.get('LANG')).toBe('C.UTF-8')
  expect(seen.has('HOLDFAST_RUN')).toBe(false)
  expect(seen.has('SECRET')).toBe(false)
  expect(tmux('show-environment', '-t', '=hf-e')).not.toMatch(/^[A-Z_]+=/m)
})

test('a program without arguments is run without a shell', async () => {
  const { terminal, dir } = await startTerminal()
  const program = join(dir, '$(touch pwned); a=b')
  writeFileSync(program, `#!/bin/sh\necho ran > '${join(dir, 'proof')}'\n`, { mode: 0o755 })
  await terminal.open({ task: 'p', mark: 'm', argv: [program], cwd: dir })
  await written(join(dir, 'proof'))
  expect(readIf(join(dir, 'pwned'))).toBeUndefined()
})

test('nobody attaches to what is no name', async () => {
  const { terminal } = await startTerminal()
  for (const bad of ['', 'a:b', '=a', '$1', '#{pid}'])
    expect(() => terminal.attachArgv(bad, { readOnly: true })).toThrow()
})

test('a pane shows its screen as text, UTF-8 included, and what looks like the protocol', async () => {
  const { terminal, dir } = await startTerminal()
  const text = 'grüße 😀\n\n%end 1 1 1\nholdfast-reply-3\n  indented'
  await terminal.open({
    task: 's',
    mark: 'm',
    argv: ['/bin/sh', '-c', 'printf %s "$0"; sleep 1000', text],
    cwd: dir,
  })
  await waitFor('the text to be drawn', async () =>
    (await terminal.readScreen('s', 'm'))?.includes('indented'),
  )
  expect(await terminal.readScreen('s', 'm')).toBe(text)
})

test('a pane that an earlier version opened for an id with a dot is found, and gets its new name', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  await terminal.open({ task: 'a_b', mark: 'other', argv: SLEEP, cwd: dir })
  tmux('rename-session', '-t', '=hf-a_b', 'hf-1.a.b'.replaceAll('.', '_'))
  tmux('set', '-p', '-t', '=hf-1_a_b:', '@hf_run', 'm')
  expect(await terminal.look('1.a.b', 'other')).toBeUndefined()
  expect(await terminal.look('1.a.b', 'm')).toMatchObject({ dead: false })
  expect(await terminal.panes()).toMatchObject([{ session: terminal.sessionName('1.a.b'), mark: 'm' }])
  await terminal.close('1.a.b', 'm')
  expect(await terminal.panes()).toEqual([])
})

test('the pane is found by its mark, also when a person has split the window', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const argv = ['/bin/sh', '-c', 'echo agent; sleep 1000']
  const pane = await terminal.open({ task: 's', mark: 'm', argv, cwd: dir })
  await waitFor('the agent to speak', async () => (await terminal.readScreen('s', 'm')) === 'agent')
  tmux('split-window', '-t', '=hf-s:', '--', 'sleep', '1000')
  expect(await terminal.readScreen('s', 'm')).toBe('agent')
  expect(await terminal.panes()).toMatchObject([{ pane }])
  await terminal.close('s', 'm')
  expect(tmux('list-sessions', '-F', '#{session_name}')).toBe('holdfast-keeper')
})

test('a session of our name that is not ours makes room', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  tmux('new-session', '-d', '-s', 'hf-s', '--', 'sleep', '1000')
  await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toMatchObject([{ session: 'hf-s', mark: 'm' }])
})

test('a person attaches to exactly that session, reading only if so wished', async () => {
  const { terminal, socket } = await startTerminal()
  const base = ['tmux', '-u', '-S', socket, '-f', '/dev/null', '-N', 'attach-session']
  expect(terminal.attachArgv('a', { readOnly: false })).toEqual([...base, '-t', '=hf-a'])
  expect(terminal.attachArgv('a', { readOnly: true })).toEqual([...base, '-r', '-t', '=hf-a'])
})

test('a cursor that moves is told, also in a window that is not in front', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  for (const window of ['behind', 'front'])
    await terminal.open({
      task: window,
      mark: window,
      argv: SLEEP,
      cwd: dir,
      place: { session: 'agents_core', window },
    })
  await terminal.open({ task: 'alone', mark: 'alone', argv: SLEEP, cwd: dir })
  tmux('select-window', '-t', '=agents_core:front')
  let told = 0
  terminal.onOutlines(() => told++)
  /** Nothing more is told of what has changed before. */
  const untilStill = async () => {
    for (let seen = -1; seen !== told; ) {
      seen = told
      await new Promise((later) => setTimeout(later, STILL_MS))
    }
  }
  for (const pane of ['=agents_core:behind', '=hf-alone:']) {
    await untilStill()
    const before = told
    tmux('send-keys', '-t', pane, 'x')
    await waitFor(`what moved in ${pane} to be told`, () => told > before)
  }
})
