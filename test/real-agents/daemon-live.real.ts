// Speaking with each real agent through the daemon: without a terminal by its live channel, and in its terminal.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnsweredJson } from '../../src/protocol/json/input-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'
import { asksFirst } from './asks-first.ts'
import { kindsThat, worldWith } from './daemon-world.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const conversing = kindsThat(({ can }) => can.converse)
const asking = kindsThat(({ can }) => can.converse && can.asks.includes('edit'))
const interactive = kindsThat(({ can }) => can.modes.includes('interactive'))
const dialogs = kindsThat(({ can }) => can.modes.includes('interactive') && can.asks.includes('edit'))
const PATIENCE_MS = 100_000

const made = (name: string) => existsSync(join(lab.project, name))
const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(
    `${id} to be ${phase}`,
    async () => {
      const task = await world.status(id)
      if (task.completed_at !== null) throw new Error(`it ended: ${task.reason}`)
      return task.phase === phase ? task : undefined
    },
    PATIENCE_MS,
  )

test.each(conversing)(
  '%s hears two prompts in one conversation, the daemon killed between them, and ends when told',
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    const id = await run('DO:write{one.txt} the first', undefined, '--converse')
    const { run_id } = await untilPhase(world, id, 'idle')
    await world.killDaemon()
    await world.ok(['send', id, 'DO:write{two.txt} the second'])
    await waitFor('the second file', () => made('two.txt'), PATIENCE_MS)
    const task = await untilPhase(world, id, 'idle')
    expect(task.run_id).toBe(run_id)
    expect(task.inputs).toMatchObject([
      { kind: 'prompt', heard: true, done: true },
      { kind: 'prompt', heard: true, done: true },
    ])
    expect(made('one.txt')).toBe(true)
    await world.ok(['send', id, '--end'])
    await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
    expect(JSON.stringify(lab.requests().at(-1))).toContain('the first')
  },
)

test.each(asking)(
  '%s asks before it runs a command; yes runs it once, and the task completes',
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    const id = await run(asksFirst(kind), 'edit')
    const { questions } = await world.untilStatus(id, 'waiting_input', PATIENCE_MS)
    expect(questions[0]!.options.length).toBeGreaterThan(1)
    expect(made('asked.txt')).toBe(false)
    const answered = await world.json<AnsweredJson>(['answer', id, '1'])
    expect(answered.settled).toBe(true)
    await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
    expect(readFileSync(join(lab.project, 'asked.txt'), 'utf8')).toBe('x')
  },
)

test.each(interactive)(
  '%s works in its terminal: prompted, finished, prompted again, ended',
  async (kind) => {
    const { world, run } = await worldWith(kind, lab)
    const id = await run('DO:write{one.txt} the first', undefined, '--mode', 'interactive')
    await untilPhase(world, id, 'idle')
    expect(made('one.txt')).toBe(true)
    await world.killDaemon()
    await world.ok(['send', id, 'DO:write{two.txt} the second'])
    await waitFor('the second file', () => made('two.txt'), PATIENCE_MS)
    const task = await untilPhase(world, id, 'idle')
    expect(task.inputs).toMatchObject([
      { said: true, done: true },
      { said: true, done: true },
    ])
    await world.ok(['kill', id, '--force'])
    await world.untilStatus(id, 'KILLED')
  },
)

test.each(dialogs)('%s’s dialog is seen, answered once, and closes', async (kind) => {
  const { world, run } = await worldWith(kind, lab)
  const id = await run(asksFirst(kind), 'edit', '--mode', 'interactive')
  const { questions } = await world.untilStatus(id, 'waiting_input', PATIENCE_MS)
  expect(questions[0]!.options.length).toBeGreaterThan(1)
  expect(made('asked.txt')).toBe(false)
  await world.ok(['answer', id, '1'])
  await untilPhase(world, id, 'idle')
  expect(readFileSync(join(lab.project, 'asked.txt'), 'utf8')).toBe('x')
})

test('a tool that a hook of the project blocks shows in state.json and in the result', async () => {
  const { world, run } = await worldWith('claude', lab)
  const hook = { type: 'command', command: 'echo not on Fridays >&2; exit 2' }
  mkdirSync(join(lab.project, '.claude'))
  writeFileSync(
    join(lab.project, '.claude/settings.json'),
    JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] } }),
  )
  const id = await run('DO:shell{touch never.txt}', 'full')
  const task = await world.untilStatus(id, 'COMPLETED', PATIENCE_MS)
  const blocked = [expect.stringMatching(/Bash.*not on Fridays/)]
  const state = join(task.workspace, 'state.json')
  expect(JSON.parse(readFileSync(state, 'utf8')).hook_violations).toEqual(blocked)
  expect(JSON.parse(readFileSync(task.result_file, 'utf8')).hook_violations).toEqual(blocked)
  expect(made('never.txt')).toBe(false)
})
