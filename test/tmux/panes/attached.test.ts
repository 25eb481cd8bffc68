import { expect, test } from 'vitest'
import { attachSmall, startTerminal } from '../../helpers/tmux-server.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { bracketed, listen } from '../listener.ts'

async function withPerson({ readOnly = false } = {}) {
  const { terminal, tmux, dir, socket } = await startTerminal()
  const pane = await listen(terminal, dir)
  const person = attachSmall(terminal.attachArgv('s', { readOnly }))
  await waitFor('the person to be there', () => tmux('list-clients').includes('s '))
  const types = (key: string) => person.tmux('send-keys', key)
  return { terminal, tmux, socket, types, ...pane }
}

/** Their coming counts as a key. */
const quiet = async (look: () => Promise<{ keyAgeMs: number | null }>) =>
  waitFor('a moment without keys', async () => ((await look()).keyAgeMs ?? 2000) >= 2000)

test('a look tells how long ago a person pressed a key', async () => {
  const { look, types } = await withPerson()
  await quiet(look)
  types('x')
  await waitFor('the key', async () => (await look()).keyAgeMs === 0)
})

test('a key that comes between the look and what we type keeps ours from being typed', async () => {
  const { look, paste: _, types, terminal, got, name } = await withPerson()
  await quiet(look)
  const seen = await look()
  types('x')
  await waitFor('the key', async () => (await look()).keyAgeMs === 0)
  expect(await terminal.paste(name, name, 't', 'text', seen)).toBe('refused')
  expect(await terminal.press(name, name, 't', ['Enter'], seen)).toBe('refused')
  expect(await terminal.clear(name, name, 't', ['C-u'], seen)).toBe('refused')
  await quiet(look)
  expect(await terminal.paste(name, name, 't', 'text', await look())).toBe('done')
  expect(await got()).toBe(`x${bracketed('text')}`)
})

test('somebody who comes between the look and what we type is seen', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const { look, got, name } = await listen(terminal, dir)
  const seen = await look()
  attachSmall(terminal.attachArgv('s', { readOnly: false }))
  await waitFor('the person to be there', () => tmux('list-clients').includes('s '))
  expect(await terminal.paste(name, name, 't', 'text', seen)).toBe('refused')
  expect(await got()).toBe('')
})

test('a person who can only look keeps nothing from being typed', async () => {
  const { look, types, terminal, tmux, got, name } = await withPerson({ readOnly: true })
  const lastKey = () => Number(tmux('list-clients', '-t', '=hf-s', '-F', '#{client_activity}'))
  const before = lastKey()
  // tmux counts whole seconds: their key is there when the time of their last one is another.
  await waitFor('their key', () => {
    types('x')
    return lastKey() > before
  })
  expect(await terminal.paste(name, name, 't', 'text', await look())).toBe('done')
  expect(await got()).toBe(bracketed('text'))
})

test('a person who can only look is never somebody at the keys, also in the second in which they come or press one', async () => {
  const { look, types } = await withPerson({ readOnly: true })
  expect((await look()).keyAgeMs).toBeNull()
  types('x')
  expect((await look()).keyAgeMs).toBeNull()
})

test('a person who sees the same window in a session of their own counts too', async () => {
  const { terminal, tmux, dir, socket } = await startTerminal()
  const { look, name } = await listen(terminal, dir)
  tmux('new-session', '-d', '-s', 'theirs', '-t', '=hf-s')
  const person = attachSmall(['tmux', '-u', '-S', socket, 'attach-session', '-t', '=theirs'])
  await waitFor('the person to be there', () => tmux('list-clients').includes('theirs'))
  await quiet(look)
  const seen = await look()
  person.tmux('send-keys', 'x')
  await waitFor('the key', async () => (await look()).keyAgeMs === 0)
  expect(await terminal.press(name, name, 't', ['Enter'], seen)).toBe('refused')
})

test('the session of a place stays while a person is attached, or has a window or pane of their own there', async () => {
  const { terminal, tmux, dir, socket } = await startTerminal()
  const place = { session: 'agents_core', window: 'reviewer' }
  await terminal.open({ task: 'a', mark: 'a', argv: ['sleep', '1000'], cwd: dir, place })
  await terminal.close('a', 'a')
  const isThere = () => tmux('list-sessions', '-F', '#{session_name}').includes('agents_core')
  const stays = async () => {
    expect(await terminal.closeEmptySessions(new Set())).toBe(1)
    expect(isThere()).toBe(true)
  }

  const person = attachSmall(['tmux', '-S', socket, 'attach-session', '-t', '=agents_core'])
  await waitFor('the person to be there', () => tmux('list-clients').includes('agents_core'))
  await stays()
  person.tmux('send-keys', 'C-b', 'd')
  await waitFor('the person to have left', () => !tmux('list-clients').includes('agents_core'))

  const theirs = tmux('new-window', '-d', '-P', '-F', '#{pane_id}', '-t', '=agents_core:', 'sleep', '1000')
  await stays()
  tmux('kill-pane', '-t', theirs.trim())
  const beside = tmux('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', '=agents_core:', 'sleep', '1000')
  await stays()
  tmux('kill-pane', '-t', beside.trim())

  expect(await terminal.closeEmptySessions(new Set())).toBe(0)
  expect(isThere()).toBe(false)
})
