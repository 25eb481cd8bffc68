import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { heardBy, scriptedAgent } from '../../helpers/scripted-agent.ts'
import { tempDir } from '../../helpers/temp-dir.ts'
import { privateTmux, startTerminal, terminalOn } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { bracketed, listen } from '../listener.ts'

const HOSTILE = 'one\n\ttwo; #{pid} #(touch x) "q" \'$HOME\' \\e %end 1 1 1\n\ngröße 漢字 👩‍👩‍👧 \u00a0end\n'

test.each([
  ['several lines, UTF-8 and what means something to tmux', HOSTILE],
  ['100 KB', 'größe 😀 0123456789\n'.repeat(4_000)],
  ['one line of 100 KB', 'x'.repeat(100_000)],
])('%s: a text arrives byte for byte, in brackets, and leaves nothing behind', async (_, text) => {
  const { terminal, tmux, dir } = await startTerminal()
  const { paste, got } = await listen(terminal, dir)
  expect(await paste('t', text)).toBe('done')
  expect(await got()).toBe(bracketed(text))
  expect(tmux('list-buffers')).toBe('')
  expect(readdirSync(join(dir, 's.texts'))).toEqual([])
})

test('a program that did not ask for brackets gets none', async () => {
  const { terminal, dir } = await startTerminal()
  const argv = ['/bin/sh', '-c', 'stty -echo; echo ready; read -r line; echo "<$line>"; exec sleep 1000']
  await terminal.open({ task: 's', mark: 'm', argv, cwd: dir })
  await waitFor('it to read', async () => (await terminal.readScreen('s', 'm')) === 'ready')
  await terminal.paste('s', 'm', 't', 'text\n')
  await waitFor('the line', async () => (await terminal.readScreen('s', 'm')) === 'ready\n<text>')
})

test('a home whose path means something to tmux is no hindrance', async () => {
  const home = join(tempDir(), '#{pid}##[x]#(touch x)%H "; ü')
  mkdirSync(home)
  const { socket, dir, serverPid } = privateTmux(home)
  const { terminal } = terminalOn(socket)
  await terminal.start()
  serverPid()
  const { paste, got } = await listen(terminal, dir)
  expect(await paste('t', 'text')).toBe('done')
  expect(await got()).toBe(bracketed('text'))
})

test('texts pasted into several panes at once do not mix', async () => {
  const { terminal, dir } = await startTerminal()
  const panes = await Promise.all(['a', 'b', 'c'].map((name) => listen(terminal, dir, name)))
  const text = (name: string, i: number) => `${name}${i}`.repeat(5_000)
  const rounds = [0, 1, 2, 3]
  await Promise.all(rounds.flatMap((i) => panes.map(({ paste, name }) => paste(`t-${i}`, text(name, i)))))
  for (const { got, name } of panes) {
    const pasted = (await got()).split('\x1b[200~').slice(1).sort()
    expect(pasted).toEqual(rounds.map((i) => `${text(name, i)}\x1b[201~`))
  }
})

test('keys arrive as keys, in order', async () => {
  const { terminal, dir } = await startTerminal()
  const { press, got } = await listen(terminal, dir)
  const keys = ['1', ';', '-', '#', '"', '\\', '{', 'y', 'Space', 'Tab', 'BTab', 'BSpace', 'C-c', 'C-j']
  expect(await press('t-1', ...keys)).toBe('done')
  expect(await press('t-2', 'Up', 'Down', 'Right', 'Left', 'Enter')).toBe('done')
  expect(await press('t-3', 'Escape')).toBe('done')
  expect(await got()).toBe('1;-#"\\{y \t\x1b[Z\x7f\x03\n\x1b[A\x1b[B\x1b[C\x1b[D\r\x1b')
})

test('our pane is typed into, not the one a person has split off and looks at', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const { paste, press, got } = await listen(terminal, dir)
  tmux('split-window', '-t', '=hf-s:', '--', 'env', 'cat')
  expect(await paste('t', 'text')).toBe('done')
  expect(await press('t', 'Enter')).toBe('done')
  expect(await paste('t', 'text')).toBe('already')
  expect(await got()).toBe(`${bracketed('text')}\r`)
})

test.each([
  ['is in its history', ['copy-mode'], ['send-keys', '-X', 'cancel']],
  ['is closed to input', ['select-pane', '-d'], ['select-pane', '-e']],
])('a pane that %s gets nothing, and everything later', async (_, [enter, ...how], [leave, ...back]) => {
  const { terminal, tmux, dir } = await startTerminal()
  const { pane, paste, press, got } = await listen(terminal, dir)
  tmux(enter!, ...how, '-t', pane)
  expect(await paste('t', 'quit q')).toBe('refused')
  expect(await press('t', 'q', 'Enter')).toBe('refused')
  tmux(leave!, '-t', pane, ...back)
  expect(await paste('t', 'text')).toBe('done')
  expect(await press('t', 'Enter')).toBe('done')
  expect(await got()).toBe(`${bracketed('text')}\r`)
  expect(tmux('list-buffers')).toBe('')
})

test('pastes into panes that die meanwhile are refused, and the server lives', async () => {
  const { terminal, tmux, serverPid, dir } = await startTerminal()
  const before = serverPid()
  const argv = ['/bin/sh', '-c', 'stty raw; exec dd bs=1 count=9 of=/dev/null']
  const names = Array.from({ length: 20 }, (_, i) => `n-${i}`)
  await Promise.all(names.map((name) => terminal.open({ task: name, mark: name, argv, cwd: dir })))
  for (const name of names) {
    let tries = 0
    const refused = async () => (await terminal.paste(name, name, `t-${++tries}`, 'four')) === 'refused'
    await waitFor(`${name} to die of what it ate`, refused)
    expect(await terminal.press(name, name, 't', ['Enter'])).toBe('refused')
    expect(await terminal.paste(name, name, `t-${tries - 1}`, 'four')).toBe('already')
  }
  expect(serverPid()).toBe(before)
  expect(tmux('list-buffers')).toBe('')
})

test('an agent in a terminal hears one message, however often it is typed', async () => {
  const { terminal, dir } = await startTerminal()
  const argv = [
    'env',
    `SCRIPTED_AGENT_HOME=${dir}`,
    ...(await scriptedAgent()),
    '--tui',
    '--session-id',
    'session-a',
  ]
  await terminal.open({ task: 's', mark: 'm', argv, cwd: dir })
  const shows = (text: string) =>
    waitFor(text, async () => (await terminal.look('s', 'm'))?.text.includes(text))
  await shows('Idle')
  const text = 'first line\nsecond líne 🙂\nthird line'
  for (const expected of ['done', 'already'])
    expect(await terminal.paste('s', 'm', 't-1', text)).toBe(expected)
  await shows('third line')
  for (const expected of ['done', 'already'])
    expect(await terminal.press('s', 'm', 't-1', ['Enter'])).toBe(expected)
  await shows('✓ ECHO: first line')
  await shows('Idle')
  expect(heardBy(dir, 'session-a').map(({ heard }) => heard)).toEqual([text])
})
