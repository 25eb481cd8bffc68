import { expect, test } from 'vitest'
import { parseView } from '../../src/tmux/pane-view.ts'
import { startTerminal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { listen } from './listener.ts'

test('a look shows text, title and cursor, whatever the title holds', async () => {
  const { terminal, dir } = await startTerminal()
  const title = ':a::b: #{pid} #(touch x) %H 0:0 grüße 😀'
  const argv = ['/bin/sh', '-c', 'printf "\\033]2;%s\\007one\\n\\n  two" "$0"; exec sleep 1000', title]
  await terminal.open({ name: 's', mark: 'm', argv, cwd: dir })
  await waitFor('the text to be drawn', async () => (await terminal.look('s', 'm'))?.text.includes('two'))
  expect(await terminal.look('s', 'm')).toEqual({
    text: 'one\n\n  two',
    title,
    cursor: { x: 5, y: 2 },
    dead: false,
    inMode: false,
    pasted: '',
    pressed: '',
  })
})

test('a title of several lines leaves the screen alone', () => {
  const lines = ['0:0:p:e:1:2:3:first', ' second:', 'top', '', '']
  expect(parseView(lines)).toMatchObject({ title: 'first\n second:', text: 'top', pasted: 'p', pressed: 'e' })
})

test('a look tells what was typed last, and whether a person looks through the history', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const { look, paste, press } = await listen(terminal, dir)
  await paste('t-1', 'text')
  await press('t-2', 'Enter')
  expect(await look()).toMatchObject({ pasted: 't-1', pressed: 't-2', inMode: false })
  tmux('copy-mode', '-t', '=s:')
  expect(await look()).toMatchObject({ inMode: true, text: 'ready' })
})

test('a dead pane still shows its last words, and that it is dead', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 's', mark: 'm', argv: ['/bin/sh', '-c', 'echo bye; exec sleep 0.2'], cwd: dir })
  await waitFor('death and last words', async () => {
    const view = await terminal.look('s', 'm')
    return view?.dead && view.text === 'bye'
  })
})

test('nobody is shown a pane that carries another mark, or none', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 's', mark: 'm', argv: ['sleep', '1000'], cwd: dir })
  expect(await terminal.look('s', 'other')).toBeUndefined()
  expect(await terminal.look('t', 'm')).toBeUndefined()
  expect(await terminal.look('s', 'm')).toMatchObject({ text: '' })
})

test('panes tell when they last showed something', async () => {
  const { terminal, dir } = await startTerminal()
  const before = Math.floor(Date.now() / 1000)
  await listen(terminal, dir)
  const [pane] = await terminal.panes()
  expect(pane!.activeAt).toBeGreaterThanOrEqual(before)
  expect(pane!.activeAt).toBeLessThanOrEqual(Date.now() / 1000)
})
