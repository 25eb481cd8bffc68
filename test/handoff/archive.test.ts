import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { handoffWorld, info, NOW, text, VIEW_FILES } from './handoff-world.ts'

const MB = 1024 ** 2

/** A task that has ended, with its files as they are then. */
async function endedTask() {
  const world = handoffWorld()
  const { handoff, task, project } = world
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.appendOutput(task, 0, 'hello\n')
  await handoff.close(task)
  const archive = `${project}/.holdfast/archive/sessions/${task.id}`
  return { ...world, archive, archived: { ...task, archivedAt: NOW } }
}

test('an archived view is the same directory in another place, and says where it is', async () => {
  const { handoff, task, view, archive, archived } = await endedTask()
  writeFileSync(`${view}/notes.txt`, 'the agent’s own')
  const { ino } = statSync(view)
  await handoff.archive(task, NOW)
  expect(existsSync(view)).toBe(false)
  expect(statSync(archive).ino).toBe(ino)
  expect(statSync(archive).mode & 0o777).toBe(0o700)
  expect(readdirSync(archive).sort()).toEqual(['notes.txt', ...VIEW_FILES].sort())
  expect(handoff.paths(archived).view).toBe(archive)
  expect(JSON.parse(text(`${archive}/state.json`)).task_prompt_file).toBe(`${archive}/prompt.md`)
})

test('archiving twice, also by another daemon, is the same as once', async () => {
  const { handoff, restart, task, archive } = await endedTask()
  await handoff.archive(task, NOW)
  const before = statSync(archive).ino
  await restart().archive(task, NOW)
  expect(statSync(archive).ino).toBe(before)
  expect(readdirSync(archive).sort()).toEqual(VIEW_FILES)
})

test('a view that was deleted is made anew in the archive', async () => {
  const { handoff, task, view, archive } = await endedTask()
  rmSync(view, { recursive: true })
  await handoff.archive(task, NOW)
  expect(readdirSync(archive).sort()).toEqual(VIEW_FILES)
  expect(text(`${archive}/output.log`)).toBe('hello\n')
})

test('what was put in the view’s place is not moved', async () => {
  const { handoff, task, view, archive } = await endedTask()
  renameSync(view, `${view}-aside`)
  mkdirSync(view)
  writeFileSync(`${view}/precious`, 'mine')
  await handoff.archive(task, NOW)
  expect(text(`${view}/precious`)).toBe('mine')
  expect(readdirSync(archive).sort()).toEqual(VIEW_FILES)
})

test.each(['archive', 'archive/sessions'])('a link at %s is not followed', async (link) => {
  const { dir, handoff, task, project, view, originals } = await endedTask()
  const elsewhere = `${dir}/elsewhere`
  mkdirSync(elsewhere)
  mkdirSync(dirname(`${project}/.holdfast/${link}`), { recursive: true })
  symlinkSync(elsewhere, `${project}/.holdfast/${link}`)
  await handoff.archive(task, NOW)
  expect(readdirSync(elsewhere)).toEqual([])
  expect(existsSync(view)).toBe(true)
  expect(text(`${originals}/session.log`)).toContain('is not used')
})

test('what is in the archive’s place already stays', async () => {
  const { handoff, task, archive, originals } = await endedTask()
  mkdirSync(archive, { recursive: true })
  writeFileSync(`${archive}/precious`, 'mine')
  await handoff.archive(task, NOW)
  expect(readdirSync(archive)).toEqual(['precious'])
  expect(text(`${originals}/session.log`)).toContain('is not used')
})

test('a log over 1 MB is packed in both places, a smaller one is not', async () => {
  const { handoff, task, archive, originals } = await endedTask()
  const long = `${'x'.repeat(MB)}\n`
  await handoff.appendOutput(task, 0, long)
  await handoff.log(task, [info('short')])
  await handoff.archive(task, NOW)
  for (const dir of [archive, originals]) {
    expect(existsSync(`${dir}/output.log`)).toBe(false)
    expect(gunzipSync(readFileSync(`${dir}/output.log.gz`)).toString()).toBe(long)
    expect(text(`${dir}/session.log`)).toContain('short')
  }
})

test('a reopened task’s files come back, and its output goes on where it was', async () => {
  const { handoff, task, view, archive } = await endedTask()
  const long = `${'x'.repeat(MB)}\n`
  const length = await handoff.appendOutput(task, 0, long)
  await handoff.archive(task, NOW)
  await handoff.appendOutput(task, length, 'more\n')
  expect(existsSync(archive)).toBe(false)
  expect(text(`${view}/output.log`)).toBe(`${long}more\n`)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
})
