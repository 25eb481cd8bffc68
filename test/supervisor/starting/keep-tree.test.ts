import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import type { TreeBase, WorkTree } from '../../../src/ports/files/work-tree.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { startCore } from '../../helpers/core-world.ts'

const { config } = mergeConfig([])
const BASE: TreeBase = { root: '/project', commit: null, sparse: false, dirty: { 'a.txt': 'none' } }

async function startWith(base: WorkTree['base']) {
  const world = await startCore()
  const core = Object.create(world.core, {
    workTree: { value: { ...world.core.workTree, base } },
  }) as typeof world.core
  return { ...world, core }
}

test('what the repository looked like is kept with the task, which does not wait for it', async () => {
  let tell = (_base: TreeBase) => {}
  const { core, request, project } = await startWith((dir) => {
    expect(dir).toBe(project)
    return new Promise((resolve) => (tell = resolve))
  })
  const task = await createTask(request('x'), config, core)
  expect(await core.handoff.treeBase(task)).toBeUndefined()
  tell(BASE)
  await vi.waitFor(async () => expect(await core.handoff.treeBase(task)).toEqual(BASE))
})

test('a task is created although its repository cannot be looked at, and the log says so', async () => {
  const { core, request, home } = await startWith(async () => {
    throw new Error('no room in the process table')
  })
  const task = await createTask(request('x'), config, core)
  expect(await core.handoff.treeBase(task)).toBeUndefined()
  await vi.waitFor(() =>
    expect(readFileSync(home.daemonLog, 'utf8')).toContain('no room in the process table'),
  )
})

test('a look at the repository that fails is no error of its own when the task is not created either', async () => {
  const { core, request } = await startWith(async () => {
    throw new Error('no room in the process table')
  })
  const refused = createTask({ ...request('x'), setEnv: { TMUX: '1' } }, config, core)
  await expect(refused).rejects.toMatchObject({ code: 'INVALID_NAME' })
  core.handoff.create = async () => {
    throw new Error('no room on the disk')
  }
  await expect(createTask(request('x'), config, core)).rejects.toThrow('no room on the disk')
})
