import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnsweredJson } from '../../src/protocol/json/input-json.ts'
import { textIn } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const interactive = ['--mode', 'interactive']

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => {
    const task = await world.status(id)
    return task.phase === phase ? task : undefined
  })

/** As a person would: Ctrl-C twice in an empty box. */
async function leave(world: World, id: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'C-c')
  await waitFor('the hint', async () =>
    (await world.ok(['screen', id])).includes('again to exit') ? true : undefined,
  )
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'C-c')
}

test('an agent in its terminal gets its prompt typed once, then the next, and completes when a person leaves it', async () => {
  const world = await startWorld()
  const id = await world.run('do: say hello\nsecond line', ...interactive)
  await untilPhase(world, id, 'idle')
  expect(await world.ok(['screen', id])).toContain('hello')
  await world.ok(['send', id, 'do: write two.txt second'])
  await waitFor('the second turn', () => textIn(world, 'two.txt').includes('second'))
  await untilPhase(world, id, 'idle')
  await leave(world, id)
  expect(await world.untilStatus(id, 'COMPLETED')).toMatchObject({ exit_code: 0 })
  expect(world.heard().map(({ heard }) => heard)).toEqual([
    'do: say hello\nsecond line',
    'do: write two.txt second',
  ])
  expect(await world.ok(['logs', id])).toContain('hello')
})

test('a dialog is seen with its options and gets exactly the answer that was chosen', async () => {
  const world = await startWorld()
  const id = await world.run('do: ask Which colour? | red | green | blue\ndo: finish thanks', ...interactive)
  const asking = await world.untilStatus(id, 'waiting_input')
  expect(asking.questions).toMatchObject([{ question: 'Which colour?', options: ['red', 'green', 'blue'] }])
  const answered = await world.json<AnsweredJson>(['answer', id, 'green'])
  expect(answered).toMatchObject({ answer: 'green', settled: true })
  await untilPhase(world, id, 'idle')
  expect((await world.ok(['screen', id])).match(/answered: .*/g)).toEqual(['answered: green'])
})

test('a person who answers in the pane settles the question', async () => {
  const world = await startWorld()
  const id = await world.run('do: ask Go? | yes | no\ndo: finish thanks', ...interactive)
  const { tmux_session } = await world.untilStatus(id, 'waiting_input')
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, '2', 'Enter')
  const task = await untilPhase(world, id, 'idle')
  expect(task.questions).toEqual([])
})

/** Half a line in its box, which nobody sends. */
async function leaveDraft(world: World, id: string, text: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, text)
  await waitFor('the draft', async () => (await world.ok(['screen', id])).includes(text) || undefined)
}

async function clearBox(world: World, id: string): Promise<void> {
  const { tmux_session } = await world.status(id)
  await world.tmux('send-keys', '-t', `=${tmux_session}:`, 'C-u')
}

test('a person’s draft is left alone; the prompt waits until it is gone, and everybody can see why', async () => {
  const world = await startWorld({ config: 'quiet.window: 1s\n' })
  const id = await world.run('do: say ready', ...interactive)
  await untilPhase(world, id, 'idle')
  await leaveDraft(world, id, 'half a thought')
  const sent = await world.ok(['send', id, 'do: say mine'])
  const why = 'idle; 1 prompt waits: its input box holds unsent text: "half a thought"'
  expect(sent).toContain(`${id} has not received the prompt yet.`)
  expect(sent).toContain(`${why}; send or delete that text there: \`holdfast attach ${id}\``)
  expect(await world.ok(['status', id])).toContain(why)
  expect(await world.ok(['why', id])).toContain(why)
  expect(await world.status(id)).toMatchObject({
    phase: 'idle',
    next: { kind: 'kept_back' },
    kept_back: { reason: 'draft', prompts: 1 },
  })
  expect(world.heard()).toHaveLength(1)
  await clearBox(world, id)
  await waitFor('the prompt', () => world.heard().length === 2 || undefined)
  expect(world.heard()[1]!.heard).toBe('do: say mine')
  expect((await untilPhase(world, id, 'idle')).kept_back).toBe(null)
})

test('prompts arrive once each, also when the daemon is killed between 40 and 900 ms after each was sent', async () => {
  const world = await startWorld()
  const id = await world.run('do: say 0', ...interactive)
  const expected = ['do: say 0']
  for (const [n, delay] of [40, 150, 300, 500, 700, 900].entries()) {
    const prompt = `do: say ${n + 1}\nline ${delay}`
    expected.push(prompt)
    const sending = world.cli(['send', id, prompt])
    await new Promise((resolve) => setTimeout(resolve, delay))
    await world.killDaemon().catch(() => undefined)
    const { code } = await sending
    if (code !== 0 && !(await isKnown(world, id, prompt))) expected.pop()
  }
  await world.ok(['status', id])
  await waitFor('all prompts', () => world.heard().length >= expected.length || undefined, 40_000)
  await untilPhase(world, id, 'idle')
  expect(world.heard().map(({ heard }) => heard)).toEqual(expected)
}, 90_000)

/** The client lost its daemon: the prompt was stored, or it was not. */
async function isKnown(world: World, id: string, prompt: string): Promise<boolean> {
  const { inputs } = await world.json<{ inputs: { text: string }[] }>(['status', id])
  return inputs.some(({ text }) => text === prompt)
}

test('what an agent could take for a command arrives as text', async () => {
  const world = await startWorld()
  const id = await world.run('!touch shell-ran', ...interactive)
  for (const prompt of ['/exit', 'mention @README', 'breaks \u001b[201~out\r\nof the paste\u0007']) {
    await untilPhase(world, id, 'idle')
    await world.ok(['send', id, '--file', '-'], { input: prompt })
  }
  await waitFor('all prompts', () => world.heard().length === 4 || undefined)
  expect(world.heard().map((one) => one.heard)).toEqual([
    'Task: !touch shell-ran',
    'Task: /exit',
    'mention @README ',
    'breaks [201~out\nof the paste',
  ])
})

/** The lines that a screen's text has in the log. */
const countOf = (text: string, part: string) => text.split(part).length - 1

test('a short turn that a person types after Esc answers the question, and what is sent later is said', async () => {
  const world = await startWorld()
  const id = await world.run('do: say begun\ndo: hang', ...interactive)
  const { tmux_session } = await untilPhase(world, id, 'working')
  const target = ['-t', `=${tmux_session}:`]
  await waitFor('its work', async () => (await world.ok(['screen', id])).includes('● begun'))
  await world.tmux('send-keys', ...target, 'Escape')
  const stopped = await untilPhase(world, id, 'stopped_by_person')
  expect(stopped.questions).toMatchObject([{ options: ['resume', 'close'] }])
  await world.tmux('send-keys', ...target, '-l', 'do: say by hand')
  await world.tmux('send-keys', ...target, 'Enter')
  const after = await untilPhase(world, id, 'idle')
  expect(after.questions).toEqual([])
  await world.ok(['send', id, 'do: write later.txt sent'])
  await waitFor('what was sent', () => existsSync(join(world.project, 'later.txt')))
})

test('logs of an agent that tells nothing have what is new on its screen, once, and no blank lines', async () => {
  const world = await startWorld()
  const id = await world.run('do: say first words', ...interactive)
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, 'do: say second words'])
  await waitFor('the second turn', async () => (await world.ok(['logs', id])).includes('second words'))
  await untilPhase(world, id, 'idle')
  const log = await world.ok(['logs', id])
  expect(countOf(log, 'do: say first words')).toBe(1)
  expect(countOf(log, 'do: say second words')).toBe(1)
  expect(log).not.toMatch(/^\s*\n/m)
  expect(log.trimEnd().split('\n').length).toBeLessThan(12)
})
