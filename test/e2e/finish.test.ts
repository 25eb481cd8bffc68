// `finish`: a session that stays is completed by a person's word, when its turn is over.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import type { FinishedJson } from '../../src/protocol/json/order-json.ts'
import { agentPid, recovering, textIn, untilPhase } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

const result = ({ project }: World, id: string) =>
  JSON.parse(readFileSync(join(project, '.holdfast/sessions', id, 'result.json'), 'utf8'))

const stays: [string, string[]][] = [
  ['conversing', ['--converse']],
  ['in its terminal', ['--mode', 'interactive']],
]

test.each(stays)('an idle session %s is completed, once, and its process is gone', async (_, flags) => {
  const world = await recovering()
  const id = await world.run('do: say The wall is red\ndo: write made.txt x', ...flags)
  await untilPhase(world, id, 'idle')
  const pid = await agentPid(world, id)
  expect(await world.ok(['finish', id])).toBe(`Session finished: ${id}\n`)
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.reason).toMatch(/^finished by /)
  expect(isAlive(pid)).toBe(false)
  expect(result(world, id)).toMatchObject({ status: 'success' })
  expect(await world.cli(['finish', id])).toMatchObject({
    code: 0,
    stdout: 'Session has already ended (status: COMPLETED)\n',
  })
  const { entries } = await world.json<{ entries: AuditEntryJson[] }>(['audit', '--task', id])
  expect(entries.filter(({ kind }) => kind === 'finish_ordered')).toHaveLength(1)
  expect(world.heard()).toHaveLength(1)
})

test.each(stays)('a session %s that works finishes when all that was sent is done', async (_, flags) => {
  const world = await recovering()
  const id = await world.run('do: wait-for go\ndo: append done.txt one', ...flags)
  await untilPhase(world, id, 'working')
  await waitFor('its prompt', () => world.heard().length === 1)
  const sending = world.cli(['send', id, 'do: append done.txt two'])
  await waitFor('the prompt', async () =>
    (await world.status(id)).inputs.some(({ text }) => /two/.test(text)),
  )
  expect(await world.ok(['finish', id])).toBe(`${id} finishes when its turn is over.\n`)
  expect(await world.ok(['finish', id])).toBe(`${id} finishes when its turn is over.\n`)
  expect((await world.status(id)).next).toMatchObject({ kind: 'finishing' })
  expect((await world.cli(['send', id, 'more'])).stderr).toContain('is being finished')
  await world.killDaemon()
  writeFileSync(join(world.project, 'go'), '')
  await sending
  await world.untilStatus(id, 'COMPLETED')
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
})

test('an order to finish survives the death of the daemon, ends an agent that ignores TERM, and is carried out once', async () => {
  const world = await recovering('', { killGrace: '3s' })
  const id = await world.run('do: ignore-term\ndo: append done.txt one', '--mode', 'interactive')
  await untilPhase(world, id, 'idle')
  const pid = await agentPid(world, id)
  const ordering = world.cli(['finish', id])
  await waitFor('the order', async () =>
    (await world.status(id)).inputs.some(({ kind }) => kind === 'finish'),
  )
  await world.killDaemon()
  expect(isAlive(pid)).toBe(true)
  expect(await ordering).toMatchObject({ code: 0 })
  await world.untilStatus(id, 'COMPLETED')
  expect(isAlive(pid)).toBe(false)
  expect(textIn(world, 'done.txt')).toBe('one\n')
  expect(world.heard()).toHaveLength(1)
})

test('finish verifies the work of a session with a contract first: completed when it passes, sent back when it does not', async () => {
  const world = await recovering()
  const good = await world.run('do: write made.txt x', '--converse', '--verify', 'file:made.txt')
  await untilPhase(world, good, 'idle')
  await world.ok(['finish', good])
  await world.untilStatus(good, 'COMPLETED')
  const bad = await world.run('do: say no', '--converse', '--verify', 'file:missing.txt')
  await untilPhase(world, bad, 'idle')
  const said = await world.json<FinishedJson>(['finish', bad]).catch((error: Error) => error.message)
  expect(JSON.stringify(said)).not.toContain('COMPLETED')
  const task = await world.untilStatus(bad, 'FAILED')
  expect(task.reason).toContain('missing.txt')
  expect(world.heard().some(({ heard }) => heard.includes('missing.txt'))).toBe(true)
})

test.each([
  ['without a contract', []],
  ['with one', ['--verify', 'file:made.txt']],
])('a session whose terminal a person closed may be finished instead of resumed, %s', async (_, verify) => {
  const world = await recovering()
  const id = await world.run('do: write made.txt x\ndo: hang', '--mode', 'interactive', ...verify)
  await waitFor('its work', () => existsSync(join(world.project, 'made.txt')))
  const { tmux_session } = await world.status(id)
  await world.tmux('kill-session', '-t', `=${tmux_session}`)
  await untilPhase(world, id, 'stopped_by_person')
  await world.ok(['finish', id])
  await world.untilStatus(id, 'COMPLETED')
  expect(world.heard()).toHaveLength(1)
})

test('a finished session that is resumed is not finished again by the old order', async () => {
  const world = await recovering()
  const id = await world.run('do: say hello', '--converse')
  await untilPhase(world, id, 'idle')
  await world.ok(['finish', id])
  await world.untilStatus(id, 'COMPLETED')
  await world.ok(['resume', id, 'do: write more.txt x'])
  await waitFor('its work', () => existsSync(join(world.project, 'more.txt')))
  await untilPhase(world, id, 'idle')
  await world.ok(['send', id, 'do: write last.txt x'])
  await waitFor('more of it', () => existsSync(join(world.project, 'last.txt')))
  await untilPhase(world, id, 'idle')
  await world.ok(['finish', id])
  await world.untilStatus(id, 'COMPLETED')
})

test('finish is refused for a one-shot session, which ends by itself; a run may finish itself and no other', async () => {
  const world = await recovering()
  const once = await world.run('do: wait-for go\ndo: finish ok')
  const { stderr } = await world.cli(['finish', once])
  expect(stderr).toContain(
    'was not told to finish: it has only one prompt, and ends by itself when that is done',
  )
  expect(stderr).toContain(`Try:   \`holdfast kill ${once}\` ends it now.`)
  const id = await world.run('do: run sh -c "holdfast finish $HOLDFAST_TASK_ID"', '--converse')
  await world.untilStatus(id, 'COMPLETED')
  const other = await world.run('do: say hello', '--converse')
  await untilPhase(world, other, 'idle')
  const { run_id } = await world.status(other)
  const asRun = (run: string) => world.cli(['finish', other], { env: { HOLDFAST_RUN: run } })
  expect((await asRun('another')).stderr).toContain('NOT_ALLOWED_FOR_RUN')
  // All that carries the mark of a run ends with it, perhaps this command before it has told its success.
  expect([0, null]).toContain((await asRun(run_id!)).code)
  await world.untilStatus(other, 'COMPLETED')
  await world.ok(['kill', once, '--force'])
})
