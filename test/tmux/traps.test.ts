// The five traps of tmux 3.3a: each crashes the server or loses an agent's work for those who step on it.

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive } from '../helpers/is-alive.ts'
import { sourceFiles } from '../helpers/source-files.ts'
import { attachSmall, privateTmux, startTerminal, trySignal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { written } from './recorder.ts'
import { spawnTerminal } from './spawn-terminal.ts'

const SLEEP = ['sleep', '1000']

test('1: whatever is asked of a dead pane, the server lives', async () => {
  const { terminal, serverPid, dir, events } = await startTerminal()
  const before = serverPid()
  // tmux may lose what a program writes in the moment of its end, so this one ends when its words were read.
  const script = 'echo last words; until [ -e read ]; do sleep 0.02; done'
  const spec = { task: 's', mark: 'm', argv: ['/bin/sh', '-c', script], cwd: dir }
  const pane = await terminal.open(spec)
  const lastWords = async () => (await terminal.readScreen('s', 'm')) === 'last words'
  await waitFor('its last words', lastWords)
  writeFileSync(join(dir, 'read'), '')
  await waitFor('the pane to die', async () => (await terminal.panes())[0]?.dead)
  expect(await lastWords()).toBe(true)
  expect(await terminal.open(spec)).toBe(pane)
  await terminal.open({ ...spec, mark: 'next' })
  await terminal.close('s', 'next')
  expect(await terminal.panes()).toEqual([])
  expect(serverPid()).toBe(before)
  expect(events).toEqual([{ kind: 'server_started' }])
})

test('1: this room pastes in one place only, and behind the guard (typing.test.ts races it with dying panes)', () => {
  const room = sourceFiles('src/tmux').map((file) => readFileSync(file, 'utf8'))
  expect(room.join('\n').match(/.*paste-?b.*/g)).toHaveLength(1)
  expect(room.join('\n')).toMatch(/ typeOnce\([^()]*\['paste-buffer',/)
})

test('2: windows keep 200x50 when a small terminal attaches, and the size is never set globally', async () => {
  const { terminal, tmux, serverPid, dir } = await startTerminal()
  const before = serverPid()
  for (const name of ['a', 'b', 'c']) await terminal.open({ task: name, mark: name, argv: SLEEP, cwd: dir })
  attachSmall(terminal.attachArgv('b', { readOnly: false }))
  await waitFor('the person to be attached', () => tmux('list-clients', '-t', '=hf-b') !== '')
  await terminal.open({ task: 'd', mark: 'd', argv: SLEEP, cwd: dir })
  const sizes = tmux('list-panes', '-a', '-f', '#{@hf_run}', '-F', '#{window_width}x#{window_height}')
  expect(sizes.split('\n')).toEqual(Array(4).fill('200x50'))
  expect(tmux('show-options', '-wv', '-t', '=hf-d:', 'window-size')).toBe('manual')
  expect(tmux('show-options', '-gwv', 'window-size')).not.toBe('manual')
  expect(serverPid()).toBe(before)
})

test('3: a lone death is seen, and its status comes out although tmux loses the signal', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  for (let i = 0; i < 12; i++) {
    const name = `n-${i}`
    await terminal.open({ task: name, mark: name, argv: ['/bin/sh', '-c', 'exit 7'], cwd: dir })
    await waitFor(`the death of ${name}, with status`, async () => {
      const dead = (await terminal.panes()).find(({ mark }) => mark === name)?.dead
      return dead && tmux('list-panes', '-t', `=hf-${name}:`, '-F', '#{pane_dead_status}') === '7'
    })
  }
})

test('4: an agent that floods its pane goes on while nobody reads our connection', async () => {
  const { socket, dir, tmux, serverPid } = privateTmux()
  const flood = ['/bin/sh', '-c', 'while :; do seq 20000; echo >> "$0"; done', join(dir, 'rounds')]
  const holder = await spawnTerminal(dir, socket, 'flood', ...flood)
  serverPid()
  expect(tmux('list-clients', '-F', '#{client_flags}')).toMatch(/no-output/)
  expect(tmux('list-clients', '-F', '#{client_flags}')).toMatch(/ignore-size/)
  holder.kill('SIGSTOP')
  const rounds = () => statSync(join(dir, 'rounds')).size
  await written(join(dir, 'rounds'))
  const before = rounds()
  await waitFor('several megabytes more of output', () => rounds() > before + 50, 20_000)
})

test('5: closing removes the pane even when its process ignores SIGHUP; that process is for the caller to end', async () => {
  const { terminal, dir } = await startTerminal()
  const file = join(dir, 'pid')
  const argv = [
    '/bin/sh',
    '-c',
    'trap "" HUP; echo $$ > "$0.tmp"; mv "$0.tmp" "$0"; while :; do sleep 1; done',
    file,
  ]
  await terminal.open({ task: 's', mark: 'm', argv, cwd: dir })
  const pid = Number(await written(file))
  onTestFinished(() => trySignal(pid, 'SIGKILL'))
  await terminal.close('s', 'm')
  expect(await terminal.panes()).toEqual([])
  expect(isAlive(pid)).toBe(true)
})

test('5: closing ends a process that does not ignore SIGHUP', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ task: 's', mark: 'm', argv: SLEEP, cwd: dir })
  const [pane] = await terminal.panes()
  await terminal.close('s', 'm')
  await waitFor('the process to end', () => !isAlive(pane!.pid))
})
