import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { heardBy, remembered, scriptedAgent } from '../../../../helpers/scripted-agent.ts'
import { tempDir } from '../../../../helpers/temp-dir.ts'
import { waitFor } from '../../../../helpers/wait-for.ts'
import { TuiAgent } from './tui-agent.ts'

test('three pasted lines and Enter are exactly one message', async () => {
  const agent = await TuiAgent.start()
  const text = 'first line\nsecond líne 🙂 漢字\nthird line'
  await agent.paste(text)
  const screen = await agent.shows('third line')
  expect(screen).toMatch(/─{100}\n> first line\n {2}second líne 🙂 漢字\n {2}third line\n─{100}\n/)
  expect(agent.heard()).toEqual([])
  await agent.keys('Enter')
  await agent.shows('✓ ECHO: first line')
  expect(agent.heard()).toEqual([text])
  expect(await agent.shows('Idle')).toMatch(/─\n> *\n─/)
})

test('a large paste arrives whole', async () => {
  const agent = await TuiAgent.start()
  const text = `${'0123456789'.repeat(10_000)} end`
  await agent.paste(text)
  await agent.shows('9 end')
  await agent.keys('Enter')
  await agent.shows('✓ ECHO')
  expect(agent.heard()).toEqual([text])
})

test('typed keys work too: text, backspace, Ctrl-J for a new line, Enter', async () => {
  const agent = await TuiAgent.start()
  await agent.keys('-l', 'helloo')
  await agent.keys('BSpace', 'C-j')
  await agent.keys('-l', 'there')
  await agent.keys('Left', 'F5', 'Enter')
  await agent.shows('✓ ECHO: hello')
  expect(agent.heard()).toEqual(['hello\nthere'])
})

test('it owns the terminal: alternate screen, title, cursor in the box; and it gives it back', async () => {
  const agent = await TuiAgent.start()
  expect(await agent.ask('#{alternate_on} #{pane_title}')).toBe(`1 scripted agent ${agent.id}`)
  await agent.keys('-l', 'ab漢')
  await agent.shows('> ab漢')
  expect(await agent.ask('#{cursor_x} #{cursor_flag}')).toBe('6 1')
  await agent.keys('C-c')
  await agent.shows(/\n> *\n/)
  await agent.keys('C-c')
  await agent.shows('Press Ctrl-C again to exit')
  await agent.keys('C-c')
  const left = await agent.shows('ended 0')
  expect(left).toContain(`Resume with: holdfast-scripted-agent --tui --resume ${agent.id}\n`)
  expect(await agent.ask('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('0 1 1')
  expect(agent.heard()).toEqual([])
})

test('another key takes back the wish to leave', async () => {
  const agent = await TuiAgent.start()
  await agent.keys('C-c')
  await agent.shows('Press Ctrl-C again to exit')
  await agent.keys('x')
  await agent.shows('> x')
  await agent.keys('C-c', 'C-c')
  await agent.shows('Press Ctrl-C again to exit')
})

test('a message sent while it works is shown as queued and taken up next', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: wait-for go\ndo: finish one')
  await agent.shows('Working… esc to interrupt')
  await agent.send('do: finish two')
  await agent.shows('queued: do: finish two')
  expect(agent.heard()).toHaveLength(2)
  writeFileSync(join(agent.dir, 'go'), '')
  const screen = await agent.shows('✓ two')
  expect(screen.indexOf('✓ one')).toBeLessThan(screen.indexOf('✓ two'))
  expect(await agent.shows('Idle')).not.toContain('queued:')
})

test('Esc interrupts the step and gives up the rest of the turn, not what is queued', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: tool 300 long\ndo: say never')
  await agent.shows('long(300 s)')
  await agent.send('do: finish next')
  await agent.shows('queued:')
  await agent.keys('Escape')
  const screen = await agent.shows('✓ next')
  expect(screen).toContain('✗ long: ended by SIGTERM')
  expect(screen).toContain('✗ Interrupted.')
  expect(screen).not.toContain('● never')
  expect(remembered(agent.home, agent.id).filter((fact) => 'step' in fact)).toEqual([
    { step: 2, given_up: 0 },
    { step: 3 },
  ])
})

test('told to go on after Esc, it takes up what it had given up; told something else, it does not', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: say one\ndo: wait-for go\ndo: say two')
  await agent.shows('● one')
  await agent.keys('Escape')
  await agent.shows('✗ Interrupted.')
  writeFileSync(join(agent.dir, 'go'), '')
  await agent.send('Go on with the task.')
  await agent.shows('● two')
  await agent.send('do: wait-for never\ndo: say three')
  await agent.shows('Working…')
  await agent.keys('Escape')
  await agent.shows('Interrupted')
  await agent.send('do: finish four')
  expect(await agent.shows('✓ four')).not.toContain('● three')
})

test('a dialog is answered with arrows or a number and Enter; typed text does not reach the box', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: ask Which colour? | red | green | blue\ndo: ask And now? | yes | no\ndo: finish ok')
  expect(await agent.shows('❯ 1. red')).toContain('Asking: Which colour?')
  await agent.keys('-l', 'zzz')
  await agent.keys('Down')
  await agent.shows('❯ 2. green')
  await agent.keys('Enter')
  await agent.shows('❯ 1. yes')
  await agent.keys('2')
  await agent.shows('❯ 2. no')
  await agent.keys('Enter')
  expect(await agent.shows('✓ ok')).not.toContain('zzz')
  const answers = remembered(agent.home, agent.id).flatMap(({ answered }) => answered ?? [])
  expect(answers).toEqual(['green', 'no'])
  expect(agent.heard()).toHaveLength(1)
})

test('Esc cancels a dialog, and a question without options is answered in the box', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: ask Sure? | yes | no\ndo: say never')
  await agent.shows('❯ 1. yes')
  await agent.keys('Escape')
  await agent.shows('✗ Interrupted.')
  await agent.send('do: ask Your name?\ndo: finish thanks')
  await agent.shows('Asking: Your name?')
  await agent.send('Ada')
  await agent.shows('answered: Ada')
  expect(await agent.shows('✓ thanks')).not.toContain('● never')
  expect(agent.heard()).toHaveLength(2)
})

test('a limit is shown until the next message after its end', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: limit-until reset 3600')
  await agent.shows('Limit: Usage limit reached.')
  writeFileSync(join(agent.dir, 'reset'), '')
  await agent.send('hello')
  await agent.shows('✓ Steps done: 1.')
  await agent.shows('Idle')
})

test('frozen, nothing moves until it is interrupted', async () => {
  const agent = await TuiAgent.start('--status-clock')
  await agent.send('do: freeze')
  await agent.shows('Working…')
  const later = async (ms: number) => {
    await new Promise((over) => setTimeout(over, ms))
    return agent.screen()
  }
  const still = await waitFor('a still screen', async () => {
    const screen = await agent.screen()
    return screen === (await later(200)) && screen
  })
  expect(await later(1500)).toBe(still)
  await agent.keys('Escape')
  await agent.shows('✗ Interrupted.')
})

test('a person leaves it with /exit: exit 0, and how to resume it', async () => {
  const agent = await TuiAgent.start()
  await agent.send('/exit')
  await agent.shows('ended 0')
  expect(await agent.screen()).toContain(`--resume ${agent.id}`)
  expect(agent.heard()).toEqual([])
})

test('nothing a script says reaches the terminal as a command', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: garbage\ndo: run printf \\033]2;owned\\007\ndo: finish ok')
  await agent.shows('✓ ok')
  expect(await agent.ask('#{pane_title}')).toBe(`scripted agent ${agent.id}`)
  expect(await agent.screen()).toContain('?]2;owned?')
})

test('it redraws for a new size', async () => {
  const agent = await TuiAgent.start()
  await agent.keys('-l', 'x'.repeat(60))
  await agent.tmux('resize-window', '-t', 'a', '-x', '50', '-y', '12')
  expect(await agent.shows(/─{50}\n> x{47}\n {2}x{13}\n─{50}\n/)).not.toContain('─'.repeat(51))
})

test('the status clock ticks in the last line', async () => {
  const agent = await TuiAgent.start('--status-clock')
  const clockOf = (screen: string) =>
    /^hf-\w+ \| ctx\(0%\) \| (\d\d:\d\d:\d\d)$/m.exec(screen.trimEnd().split('\n').at(-1) ?? '')
  const first = clockOf(await agent.shows('ctx('))?.[1]
  expect(first).toBeDefined()
  await waitFor('another time', async () => {
    const now = clockOf(await agent.screen())?.[1]
    return now !== undefined && now !== first
  })
})

test('killed in the middle of a tool, it is resumed with its transcript and goes on with the next message', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: append log one\ndo: wait-for go\ndo: append log two')
  await agent.shows('Working')
  await agent.kill('SIGKILL')
  await agent.shows('ended 137')
  const resumed = await TuiAgent.startIn(agent.home, '--resume', agent.id)
  writeFileSync(join(resumed.dir, 'go'), '')
  await resumed.shows('> do: append log one')
  await resumed.send('go on')
  await resumed.shows('✓ Steps done: 3.')
  expect(readFileSync(join(resumed.dir, 'log'), 'utf8')).toBe('two\n')
  expect(heardBy(agent.home, agent.id)).toMatchObject([{ resumed: false }, { heard: 'go on', resumed: true }])
})

test('SIGTERM restores the terminal and ends it by that signal', async () => {
  const agent = await TuiAgent.start()
  await agent.kill('SIGTERM')
  await agent.shows('ended 143')
  expect(await agent.ask('#{alternate_on} #{cursor_flag} #{wrap_flag}')).toBe('0 1 1')
})

test('an exit that the script wants does not pretend that a person left', async () => {
  const agent = await TuiAgent.start()
  await agent.send('do: silent-exit')
  expect(await agent.shows('ended 0')).not.toContain('Resume with')
})

const withTrouble = async (trouble: string) =>
  TuiAgent.launch(tempDir(), [
    'env',
    `SCRIPTED_AGENT_TROUBLE=${trouble}`,
    ...(await scriptedAgent()),
    '--tui',
  ])

test('with `queues` it looks idle while it works, and what it is sent then is its next turn', async () => {
  const agent = await withTrouble('queues=600000')
  await agent.paste('do: wait-for go')
  await agent.keys('Enter')
  await waitFor('the first turn', () => agent.heard().length === 1)
  await agent.paste('second')
  await agent.keys('Enter')
  await waitFor('the second prompt', () => agent.heard().length === 2)
  const busy = await agent.screen()
  expect(busy).toContain('Idle')
  expect(busy).not.toContain('ECHO: second')
  writeFileSync(join(agent.dir, 'go'), '')
  await agent.shows('✓ ECHO: second')
})

test('with `cut` it is killed within a paste, and has taken nothing of it', async () => {
  const agent = await withTrouble('cut=1')
  await agent.keys('-l', 'typed is no paste')
  await agent.shows('typed is no paste')
  await agent.paste('first\nsecond')
  await agent.shows('ended 137')
  expect(agent.heard()).toEqual([])
})
