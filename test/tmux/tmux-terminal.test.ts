import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startTerminal } from '../helpers/tmux-server.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { readIf, recorded, recorder, written } from './recorder.ts'

const SLEEP = ['sleep', '1000']

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
    await terminal.open({ name: `d-${i}`, mark: 'm', argv, cwd })
    expect(await written(join(cwd, 'w'))).toBe(`${cwd}\n`)
  }
})

test('the environment holds what was let in, byte for byte, and nothing of the daemon', async () => {
  const HOME = '/h "quoted"; #{pid} $X\nzeile\t😀'
  const env = { PATH: process.env.PATH, HOME, LANG: 'C.UTF-8', HOLDFAST_RUN: 'r', SECRET: 's', TMUX: 'x' }
  const { terminal, tmux, dir } = await startTerminal({ env })
  const argv = ['/bin/sh', '-c', 'env -0 > "$0.tmp"; mv "$0.tmp" "$0"', join(dir, 'env')]
  await terminal.open({ name: 'e', mark: 'm', argv, cwd: dir })
  const seen = new Map(
    (await recorded(join(dir, 'env'))).map((line) => line.split(/=(.*)/s, 2) as [string, string]),
  )
  expect(seen.get('HOME')).toBe(HOME)
  expect(seen.get('PATH')).toBe(process.env.PATH)
  expect(seen.get('LANG')).toBe('C.UTF-8')
  expect(seen.has('HOLDFAST_RUN')).toBe(false)
  expect(seen.has('SECRET')).toBe(false)
  expect(tmux('show-environment', '-t', '=e')).not.toMatch(/^[A-Z_]+=/m)
})

test('a program without arguments is run without a shell', async () => {
  const { terminal, dir } = await startTerminal()
  const program = join(dir, '$(touch pwned); a=b')
  writeFileSync(program, `#!/bin/sh\necho ran > '${join(dir, 'proof')}'\n`, { mode: 0o755 })
  await terminal.open({ name: 'p', mark: 'm', argv: [program], cwd: dir })
  await written(join(dir, 'proof'))
  expect(readIf(join(dir, 'pwned'))).toBeUndefined()
})

test('a place that is no directory is refused, and nothing is started', async () => {
  const { terminal } = await startTerminal()
  for (const cwd of ['/nonexistent/dir', 'relative', '', '/etc/passwd', '/tmp\0'])
    await expect(terminal.open({ name: 'x', mark: 'm', argv: SLEEP, cwd }), cwd).rejects.toMatchObject({
      code: 'DIRECTORY_NOT_FOUND',
    })
  expect(await terminal.panes()).toEqual([])
})

test('what means something in a tmux target is refused as a name and as a mark', async () => {
  const { terminal, dir } = await startTerminal()
  const refused = { code: 'INVALID_NAME' }
  for (const bad of ['', 'a:b', 'a.b', '=a', '$1', 'a b', '#{pid}', '-x', 'ä', 'holdfast-keeper']) {
    await expect(terminal.open({ name: bad, mark: 'm', argv: SLEEP, cwd: dir })).rejects.toMatchObject(
      refused,
    )
    await expect(terminal.open({ name: 'n', mark: bad, argv: SLEEP, cwd: dir })).rejects.toMatchObject(
      refused,
    )
    await expect(terminal.readScreen(bad, 'm')).rejects.toMatchObject(refused)
    await expect(terminal.close('n', bad)).rejects.toMatchObject(refused)
    expect(() => terminal.attachArgv(bad, { readOnly: true })).toThrow()
  }
  expect(await terminal.panes()).toEqual([])
})

test('an empty argv and one with a NUL byte are refused', async () => {
  const { terminal, dir } = await startTerminal()
  for (const argv of [[], ['a', 'b\0c']])
    await expect(terminal.open({ name: 'n', mark: 'm', argv, cwd: dir })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    })
})

test('a pane shows its screen as text, UTF-8 included, and what looks like the protocol', async () => {
  const { terminal, dir } = await startTerminal()
  const text = 'grüße 😀\n\n%end 1 1 1\nholdfast-reply-3\n  indented'
  await terminal.open({
    name: 's',
    mark: 'm',
    argv: ['/bin/sh', '-c', 'printf %s "$0"; sleep 1000', text],
    cwd: dir,
  })
  await waitFor('the text to be drawn', async () =>
    (await terminal.readScreen('s', 'm'))?.includes('indented'),
  )
  expect(await terminal.readScreen('s', 'm')).toBe(text)
})

test('an empty screen is empty, a missing pane has none', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.readScreen('s', 'm')).toBe('')
  expect(await terminal.readScreen('other', 'm')).toBeUndefined()
})

test('another mark changes nothing: no screen, no closing', async () => {
  const { terminal, dir } = await startTerminal()
  const pane = await terminal.open({ name: 's', mark: 'mine', argv: SLEEP, cwd: dir })
  expect(await terminal.readScreen('s', 'yours')).toBeUndefined()
  await terminal.close('s', 'yours')
  expect(await terminal.panes()).toMatchObject([{ pane, name: 's', mark: 'mine', dead: false }])
})

test('closing removes the pane, and closing again does nothing', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  await terminal.close('s', 'm')
  await terminal.close('s', 'm')
  expect(await terminal.panes()).toEqual([])
})

test('a name that begins like another is another', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 'hf-ab', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.readScreen('hf-a', 'm')).toBeUndefined()
  await terminal.close('hf-a', 'm')
  await terminal.open({ name: 'hf-a', mark: 'm', argv: SLEEP, cwd: dir })
  await terminal.close('hf-a', 'm')
  expect(await terminal.panes()).toMatchObject([{ name: 'hf-ab' }])
})

test('the pane is found by its mark, also when a person has split the window', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  const argv = ['/bin/sh', '-c', 'echo agent; sleep 1000']
  const pane = await terminal.open({ name: 's', mark: 'm', argv, cwd: dir })
  await waitFor('the agent to speak', async () => (await terminal.readScreen('s', 'm')) === 'agent')
  tmux('split-window', '-t', '=s:', '--', 'sleep', '1000')
  expect(await terminal.readScreen('s', 'm')).toBe('agent')
  expect(await terminal.panes()).toMatchObject([{ pane }])
  await terminal.close('s', 'm')
  expect(tmux('list-sessions', '-F', '#{session_name}')).toBe('holdfast-keeper')
})

test('opening again with the same mark returns the same pane and starts nothing', async () => {
  const { terminal, dir } = await startTerminal()
  const [first, second] = [join(dir, '1'), join(dir, '2')]
  const pane = await terminal.open({ name: 's', mark: 'm', argv: [...recorder(first), 'x'], cwd: dir })
  await recorded(first)
  expect(await terminal.open({ name: 's', mark: 'm', argv: [...recorder(second), 'x'], cwd: dir })).toBe(pane)
  expect(await terminal.panes()).toHaveLength(1)
  expect(readIf(second)).toBeUndefined()
})

test('a dead pane of an earlier run makes room, a living one does not', async () => {
  const { terminal, dir } = await startTerminal()
  await terminal.open({ name: 's', mark: 'r1', argv: ['sh', '-c', 'exit 3'], cwd: dir })
  await waitFor('r1 to die', async () => (await terminal.panes())[0]?.dead)
  await terminal.open({ name: 's', mark: 'r2', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toMatchObject([{ mark: 'r2', dead: false }])
  const third = terminal.open({ name: 's', mark: 'r3', argv: SLEEP, cwd: dir })
  await expect(third).rejects.toMatchObject({ code: 'TMUX_UNAVAILABLE' })
  expect(await terminal.panes()).toMatchObject([{ mark: 'r2', dead: false }])
})

test('a session of our name that is not ours makes room', async () => {
  const { terminal, tmux, dir } = await startTerminal()
  tmux('new-session', '-d', '-s', 's', '--', 'sleep', '1000')
  await terminal.open({ name: 's', mark: 'm', argv: SLEEP, cwd: dir })
  expect(await terminal.panes()).toMatchObject([{ name: 's', mark: 'm' }])
})

test('fifty panes opened at once are fifty panes', async () => {
  const { terminal, dir } = await startTerminal()
  const names = Array.from({ length: 50 }, (_, i) => `n-${i}`)
  const opened = await Promise.all(
    names.map((name) => terminal.open({ name, mark: name, argv: SLEEP, cwd: dir })),
  )
  const panes = await terminal.panes()
  expect(new Set(opened).size).toBe(50)
  expect(new Map(panes.map(({ mark, pane }) => [mark, pane]))).toEqual(
    new Map(names.map((name, i) => [name, opened[i]])),
  )
  expect(panes.every(({ name, mark, pid, dead }) => name === mark && pid > 1 && !dead)).toBe(true)
})

test('the same pane opened five times at once is one pane', async () => {
  const { terminal, dir } = await startTerminal()
  const spec = { name: 's', mark: 'm', argv: SLEEP, cwd: dir }
  const opened = await Promise.all([1, 2, 3, 4, 5].map(() => terminal.open(spec)))
  expect(new Set(opened).size).toBe(1)
  expect(await terminal.panes()).toHaveLength(1)
})

test('a person attaches to exactly that session, reading only if so wished', async () => {
  const { terminal, socket } = await startTerminal()
  const base = ['tmux', '-u', '-S', socket, '-f', '/dev/null', '-N', 'attach-session']
  expect(terminal.attachArgv('hf-a', { readOnly: false })).toEqual([...base, '-t', '=hf-a'])
  expect(terminal.attachArgv('hf-a', { readOnly: true })).toEqual([...base, '-r', '-t', '=hf-a'])
})
