import { readdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inPhase } from '../builders/phases.ts'
import { moved } from '../builders/task.ts'
import { handoffWorld, info, text, VIEW_FILES } from './handoff-world.ts'

async function created(options = {}) {
  const world = handoffWorld(options)
  await world.handoff.create(world.task, {})
  await world.handoff.finishDraft(world.task)
  await world.handoff.log(world.task, [info('one')])
  await world.handoff.appendOutput(world.task, 0, 'said\n')
  return world
}

test.each(['state.json', 'prompt.md', 'session.log'])('a corrupted %s is put back', async (name) => {
  const { handoff, task, view, originals } = await created()
  writeFileSync(`${view}/${name}`, '{"status":"COMPL')
  await handoff.repair(task)
  expect(text(`${view}/${name}`)).toBe(text(`${originals}/${name}`))
  expect(text(`${view}/${name}`)).not.toBe('{"status":"COMPL')
})

test.each(VIEW_FILES)('a deleted %s is put back', async (name) => {
  const { handoff, task, view, originals } = await created()
  unlinkSync(`${view}/${name}`)
  await handoff.repair(task)
  expect(text(`${view}/${name}`)).toBe(text(`${originals}/${name}`))
})

test('a restarted daemon repairs what was altered while it was away', async () => {
  const { task, view, originals, restart } = await created()
  writeFileSync(`${view}/state.json`, '')
  writeFileSync(`${view}/.output.log.tmp`, 'left by a killed daemon')
  await restart().repair(task)
  expect(text(`${view}/state.json`)).toBe(text(`${originals}/state.json`))
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
})

test('what nobody touched is not written again', async () => {
  const { handoff, task, view } = await created()
  const seen = () =>
    VIEW_FILES.map((name) => [statSync(`${view}/${name}`).ino, statSync(`${view}/${name}`).mtimeMs])
  const before = seen()
  await handoff.repair(task)
  expect(seen()).toEqual(before)
})

test('a result the agent wrote is left alone, one of ours is put back', async () => {
  const { handoff, task, view } = await created()
  await handoff.writeResult(task, '{"by":"us"}')
  writeFileSync(`${view}/result.json`, '{"by":"agent"}')
  await handoff.repair(task)
  expect(text(`${view}/result.json`)).toBe('{"by":"agent"}')
  unlinkSync(`${view}/result.json`)
  await handoff.repair(task)
  expect(text(`${view}/result.json`)).toBe('{"by":"us"}')
})

test.each(['.holdfast', '.holdfast/sessions', '.holdfast/sessions/20251118-153042-grafana-validator'])(
  'after %s was cleaned away, repair brings the whole view back',
  async (what) => {
    const { handoff, task, view, originals, project } = await created()
    await handoff.writeResult(task, '{}')
    rmSync(`${project}/${what}`, { recursive: true })
    await handoff.repair(task)
    for (const name of [...VIEW_FILES, 'result.json'])
      expect(text(`${view}/${name}`)).toBe(text(`${originals}/${name}`))
    expect(text(`${project}/.holdfast/.gitignore`)).toBe('*\n')
  },
)

test('after the view was deleted, the next write brings it back', async () => {
  const { handoff, task, view, originals, project } = await created()
  rmSync(`${project}/.holdfast`, { recursive: true })
  await handoff.appendOutput(task, 5, 'more\n')
  expect(text(`${view}/output.log`)).toBe('said\nmore\n')
  expect(text(`${view}/session.log`)).toBe(text(`${originals}/session.log`))
})

test('a view deleted while the daemon was away is rebuilt', async () => {
  const { task, view, project, restart } = await created()
  rmSync(`${project}/.holdfast`, { recursive: true })
  await restart().repair(task)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
})

test('an original state.json torn by a power cut is written anew from the task', async () => {
  const { task, view, originals, restart } = await created()
  writeFileSync(`${originals}/state.json`, '')
  await restart().repair(task)
  expect(JSON.parse(text(`${originals}/state.json`)).session_id).toBe(task.id)
  expect(text(`${view}/state.json`)).toBe(text(`${originals}/state.json`))
})

test('a project that vanished does not stop anything', async () => {
  const { handoff, task, originals, project } = await created()
  rmSync(project, { recursive: true })
  await handoff.repair(task)
  await handoff.writeState(moved(task, inPhase.working()))
  expect(await handoff.appendOutput(task, 5, 'on\n')).toBe(8)
  expect(await handoff.readResult(task)).toMatchObject({ kind: 'refused' })
  expect(text(`${originals}/state.json`)).toContain('RUNNING')
  expect(text(`${originals}/session.log`).match(/WARN/g)).toHaveLength(1)
  expect(readdirSync(project.replace('/project', ''))).toEqual(['home'])
})
