import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { finishOrDropDrafts } from '../../../src/supervisor/starting/finish-or-drop-drafts.ts'
import { startCore } from '../../helpers/core-world.ts'

const { config } = mergeConfig([])

test('the agent gets the allow-list, what env.pass names, what the agent owns, and what was set; nothing else', async () => {
  const { core, request } = await startCore()
  const callerEnv = {
    PATH: '/bin',
    LANG: 'C',
    AWS_SECRET: 'x',
    TEAM_TOKEN: 't',
    SCRIPTED_AGENT_HOME: '/s',
    HOLDFAST_RUN: 'r',
    TMUX: 'y',
  }
  const passing = mergeConfig([{ file: 'u', approval: 'own', content: { 'env.pass': ['TEAM_*'] } }]).config
  const task = await createTask({ ...request('x'), callerEnv, setEnv: { GIVEN: '1' } }, passing, core)
  expect(await core.handoff.env(task)).toEqual({
    PATH: '/bin',
    LANG: 'C',
    TEAM_TOKEN: 't',
    SCRIPTED_AGENT_HOME: '/s',
    GIVEN: '1',
  })
})

test.each(['HOLDFAST_RUN', 'TMUX', 'A B', 'UID'])('a person cannot set %s for an agent', async (name) => {
  const { core, request } = await startCore()
  const creating = createTask({ ...request('x'), setEnv: { [name]: '1' } }, config, core)
  await expect(creating).rejects.toMatchObject({ code: 'INVALID_NAME' })
})

test('a handoff directory that somebody else put there is refused, and left alone', async () => {
  const { core, clock, project, request, home } = await startCore()
  clock.wall = Date.UTC(2026, 0, 2)
  const squatter = join(project, '.holdfast/sessions/20260102-000000-scripted')
  mkdirSync(squatter, { recursive: true })
  writeFileSync(join(squatter, 'state.json'), 'mine')
  await expect(createTask(request('x'), config, core)).rejects.toMatchObject({ code: 'HANDOFF_UNSAFE' })
  expect(readdirSync(squatter)).toEqual(['state.json'])
  expect(readdirSync(home.tasks)).toEqual([])
  expect(await core.store.tasks()).toEqual([])
})

test('a creation cut short before it was stored is removed at the next start; one that was stored is kept', async () => {
  const { core, project, request, home } = await startCore()
  const kept = await createTask(request('kept'), config, core)
  // The crash: files are there, the store knows nothing; and the other way round, the marker was not yet removed.
  const { snapshot, ...rest } = kept
  const lost = { ...rest, snapshot, id: '20260101-000000-lost' as typeof kept.id }
  await core.handoff.create(lost, {})
  expect(await core.handoff.drafts()).toMatchObject([{ id: lost.id }])
  writeFileSync(join(home.drafts, kept.id), project)
  await finishOrDropDrafts(core)
  expect(await core.handoff.drafts()).toEqual([])
  expect(readdirSync(home.tasks)).toEqual([kept.id])
  expect(readdirSync(join(project, '.holdfast/sessions'))).toEqual([kept.id])
  expect(existsSync(core.handoff.paths(kept).promptFile)).toBe(true)
})
