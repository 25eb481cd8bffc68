import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Permission } from '../../../src/domain/run/permission.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { ofPermission } from '../../../src/server/views/notices.ts'
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

/** A core whose agent knows these permissions alone. */
async function knowing(...permissions: readonly Permission[]) {
  const { core, request } = await startCore()
  const driver: typeof core.driver = (...asked) => {
    const known = core.driver(...asked)
    return { ...known, can: { ...known.can, permissions } }
  }
  const knows = Object.create(core, { driver: { value: driver } }) as typeof core
  return (under: Permission | null, permission?: Permission) =>
    createTask({ ...request('x'), under, permission }, config, knows)
}

test.each([
  { under: 'edit', known: ['default', 'read', 'full'], has: 'read', from: 'edit' },
  { under: 'edit', known: ['default', 'read', 'edit'], has: 'edit', from: undefined },
  { under: 'full', known: ['default', 'read'], has: 'default', from: undefined },
  { under: null, known: ['default'], has: 'default', from: undefined },
] as const)(
  'started by a run with $under, an agent that knows $known has $has',
  async ({ under, known, has, from }) => {
    const creates = await knowing(...known)
    const { agent, snapshot } = await creates(under)
    expect(snapshot.permission).toBe(has)
    expect(snapshot.permissionNarrowedFrom).toBe(from)
    expect(ofPermission({ agent, snapshot })).toHaveLength(from === undefined ? 0 : 1)
  },
)

test('an agent that knows nothing narrow enough is refused with what can be done; so is one that was asked for more', async () => {
  const creates = await knowing('default')
  await expect(creates('edit')).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: expect.stringMatching(
      /has the permissions 'edit', .* knows only default\. Choose another agent, or let a person start it\./,
    ),
  })
  await expect(creates('edit', 'default')).rejects.toMatchObject({ code: 'NOT_ALLOWED_FOR_RUN' })
  await expect(creates('edit', 'read')).rejects.toMatchObject({
    code: 'AGENT_CANNOT',
    message: "The agent 'scripted' does not support permissions 'read', only default.",
  })
})
