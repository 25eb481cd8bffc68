import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asRunId } from '../../src/domain/names/ids.ts'
import { ended } from '../builders/phases.ts'
import { moved } from '../builders/task.ts'
import { handoffWorld, info, NOW, openFilesOf, taskIn, text, VIEW_FILES } from './handoff-world.ts'

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)

test('creating a task makes originals and a view, readable by the owner only', async () => {
  const { handoff, task, view, originals, project } = handoffWorld()
  await handoff.create(task, { SECRET: 's3cret' })
  await handoff.finishDraft(task)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
  for (const dir of [view, originals]) expect(mode(dir)).toBe('700')
  for (const name of VIEW_FILES) expect([name, mode(`${view}/${name}`)]).toEqual([name, '600'])
  for (const name of readdirSync(originals))
    expect([name, mode(`${originals}/${name}`)]).toEqual([name, '600'])
  expect(text(`${project}/.holdfast/.gitignore`)).toBe('*\n')
  expect(readdirSync(originals)).not.toContain('.env.tmp')
})

test('an existing .gitignore in .holdfast is left as it is', async () => {
  const { handoff, task, project } = handoffWorld()
  mkdirSync(`${project}/.holdfast`)
  writeFileSync(`${project}/.holdfast/.gitignore`, 'sessions\n')
  await handoff.create(task, {})
  expect(text(`${project}/.holdfast/.gitignore`)).toBe('sessions\n')
})

test('state.json has every field of the handoff protocol with its type', async () => {
  const { handoff, task, view } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  expect(text(`${view}/state.json`)).toMatch(/^\{\n {2}"session_id"[\s\S]*\}\n$/)
  expect(JSON.parse(text(`${view}/state.json`))).toMatchObject({
    session_id: task.id,
    agent: 'grafana-agent',
    agent_kind: 'scripted',
    status: 'CREATED',
    task_status: 'pending',
    phase: 'queued',
    created_at: '2025-11-18T15:30:42Z',
    started_at: null,
    completed_at: null,
    tmux_session: `hf-${task.id}`,
    task_prompt_file: `${view}/prompt.md`,
    result_file: `${view}/result.json`,
    exit_code: null,
    parent_session: null,
    tags: ['validation', 'grafana'],
    metadata: { ticket: 'TEF-123', max_duration_seconds: 600, priority: 'normal' },
    hook_violations: [],
  })
})

test('an ended task says so in both state files', async () => {
  const { handoff, task, view, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const failed = moved(task, ended.failed(), {
    startedAt: NOW,
    endedAt: NOW + 1500,
    exitCode: 3,
    hookViolations: ['Bash: not on a Friday'],
  })
  await handoff.writeState(failed)
  expect(JSON.parse(text(`${view}/state.json`))).toMatchObject({
    status: 'FAILED',
    started_at: '2025-11-18T15:30:42Z',
    completed_at: '2025-11-18T15:30:43Z',
    exit_code: 3,
    hook_violations: ['Bash: not on a Friday'],
  })
  expect(text(`${originals}/state.json`)).toBe(text(`${view}/state.json`))
})

test('a state file that is up to date is not written again; its copy in the project is', async () => {
  const { handoff, task, view, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const { ino } = statSync(`${originals}/state.json`)
  rmSync(`${view}/state.json`)
  await handoff.writeState(task)
  expect(statSync(`${originals}/state.json`).ino).toBe(ino)
  expect(text(`${view}/state.json`)).toBe(text(`${originals}/state.json`))
})

test('prompt.md is the prompt byte for byte, with the session id filled in', async () => {
  const { handoff, task, view } = handoffWorld()
  const prompt = 'a\r\n\x1b[31m`$(x)` \u{1f600} <session-id>\n\n'
  await handoff.create({ ...task, snapshot: { ...task.snapshot, prompt } }, {})
  await handoff.finishDraft(task)
  expect(text(`${view}/prompt.md`)).toBe(`a\r\n\x1b[31m\`$(x)\` \u{1f600} ${task.id}\n\n`)
})

test('log lines go to both session logs and, with the id, to the global log', async () => {
  const { handoff, task, view, originals, home } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.log(task, [
    info('Status: CREATED → RUNNING'),
    { at: NOW, level: 'ERROR', message: 'a\nb\x1b' },
  ])
  const lines =
    '[2025-11-18T15:30:42Z] [INFO] Status: CREATED → RUNNING\n[2025-11-18T15:30:42Z] [ERROR] a b?\n'
  expect(text(`${originals}/session.log`)).toBe(lines)
  expect(text(`${view}/session.log`)).toBe(lines)
  expect(text(home.orchestratorLog)).toBe(
    lines.replace('[INFO]', `[INFO] [${task.id}]`).replace('[ERROR]', `[ERROR] [${task.id}]`),
  )
})

test('the log length counts whole lines and cuts off a torn one', async () => {
  const { handoff, task, view, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.log(task, [info('one'), info('two')])
  writeFileSync(`${originals}/session.log`, '[torn → ', { flag: 'a' })
  expect(await handoff.logLength(task)).toBe(2)
  await handoff.log(task, [info('three')])
  expect(text(`${originals}/session.log`)).toMatch(/one\n.*two\n.*three\n$/)
  expect(text(`${view}/session.log`)).toBe(text(`${originals}/session.log`))
  expect(await handoff.logLength(task)).toBe(3)
})

test('output is cut to where the store left off, then goes on, also after a restart', async () => {
  const { handoff, task, view, originals, restart } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  expect(await handoff.appendOutput(task, 0, 'héllo\n')).toBe(7)
  expect(await handoff.appendOutput(task, 7, 'lost in the crash\n')).toBe(25)
  const later = restart()
  expect(await later.appendOutput(task, 7, 'again\n')).toBe(13)
  expect(await later.appendOutput(task, 13, 'more\n')).toBe(18)
  expect(text(`${originals}/output.log`)).toBe('héllo\nagain\nmore\n')
  expect(text(`${view}/output.log`)).toBe('héllo\nagain\nmore\n')
})

test('an output.log that lost its tail goes on from its end and says how long it is', async () => {
  const { handoff, task, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.appendOutput(task, 0, '0123456789')
  truncateSync(`${originals}/output.log`, 4)
  expect(await handoff.appendOutput(task, 10, 'x')).toBe(5)
})

test('appending to a file as we left it does not copy it', async () => {
  const { handoff, task, view } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  await handoff.appendOutput(task, 0, 'one\n')
  const { ino } = statSync(`${view}/output.log`)
  await handoff.appendOutput(task, 4, 'two\n')
  expect(statSync(`${view}/output.log`).ino).toBe(ino)
  expect(text(`${view}/output.log`)).toBe('one\ntwo\n')
})

test('a large output.log is rebuilt whole', async () => {
  const { handoff, task, view, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const large = 'x'.repeat(3_000_001)
  await handoff.appendOutput(task, 0, large)
  rmSync(`${view}/output.log`)
  await handoff.appendOutput(task, large.length, 'end')
  expect(text(`${view}/output.log`)).toBe(`${large}end`)
  expect(statSync(`${originals}/output.log`).size).toBe(large.length + 3)
})

test('the environment is kept until the task is closed', async () => {
  const { handoff, task, originals, restart } = handoffWorld()
  await handoff.create(task, { PATH: '/bin', ODD: 'a\nb"' })
  await handoff.finishDraft(task)
  expect(mode(`${originals}/env`)).toBe('600')
  expect(await restart().env(task)).toEqual({ PATH: '/bin', ODD: 'a\nb"' })
  await handoff.close(task)
  await handoff.close(task)
  expect(readdirSync(originals)).not.toContain('env')
  expect(await handoff.env(task)).toEqual({})
})

test('screen and result are kept', async () => {
  const { handoff, task, view, restart } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  expect([await handoff.screen(task), await handoff.result(task)]).toEqual([undefined, undefined])
  await handoff.writeScreen(task, '❯ done')
  await handoff.writeResult(task, '{"status":"success"}')
  const later = restart()
  expect([await later.screen(task), await later.result(task)]).toEqual(['❯ done', '{"status":"success"}'])
  expect(text(`${view}/result.json`)).toBe('{"status":"success"}')
})

test('the clock that a run showed is kept; half a file is none', async () => {
  const { handoff, task, originals, restart } = handoffWorld()
  await handoff.create(task, {})
  expect(await handoff.clockSeen(task)).toBeUndefined()
  const seen = { runId: asRunId('run-1'), clock: '10:00:00' }
  await handoff.keepClock(task, seen)
  expect(await restart().clockSeen(task)).toEqual(seen)
  writeFileSync(`${originals}/clock.json`, '{"run')
  expect(await handoff.clockSeen(task)).toBeUndefined()
})

test('a draft is remembered over a crash until it is committed, which fills its view', async () => {
  const { handoff, task, project, view, restart } = handoffWorld()
  expect(await handoff.drafts()).toEqual([])
  await handoff.create(task, {})
  expect(readdirSync(view)).toEqual([])
  const later = restart()
  expect(await later.drafts()).toEqual([{ id: task.id, project }])
  await later.finishDraft(task)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
  expect(await restart().drafts()).toEqual([])
})

test('discarding a draft leaves nothing of it, also after a crash', async () => {
  const { handoff, task, home, project, restart } = handoffWorld()
  await handoff.create(task, { SECRET: 's' })
  await handoff.log(task, [info('x')])
  await restart().removeFiles({ id: task.id, project })
  expect(readdirSync(home.tasks)).toEqual([])
  expect(readdirSync(`${project}/.holdfast/sessions`)).toEqual([])
  expect(await handoff.drafts()).toEqual([])
})

test('discarding removes the empty directory of a crash in the middle of create', async () => {
  const { handoff, task, home, project, view } = handoffWorld()
  await handoff.create(task, {})
  await handoff.removeFiles(task)
  mkdirSync(view)
  await handoff.removeFiles(task)
  expect(readdirSync(`${project}/.holdfast/sessions`)).toEqual([])
  expect(readdirSync(home.tasks)).toEqual([])
})

test('an id that has files already is refused and its files stay', async () => {
  const { handoff, task, originals } = handoffWorld()
  await handoff.create(task, { A: '1' })
  const again = handoff.create({ ...task, agent: 'other' }, {})
  await expect(again).rejects.toMatchObject({ code: 'TASK_EXISTS' })
  expect(await handoff.env(task)).toEqual({ A: '1' })
  expect(text(`${originals}/state.json`)).toContain('"scripted"')
  expect(await handoff.drafts()).toHaveLength(1)
})

test('of two creations of one id at once, one succeeds', async () => {
  const { handoff, task, view } = handoffWorld()
  const outcomes = await Promise.allSettled([handoff.create(task, {}), handoff.create(task, {})])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await handoff.finishDraft(task)
  expect(readdirSync(view).sort()).toEqual(VIEW_FILES)
})

test.each(['../../etc', 'x', '20251118-153042-a/b', '20251118-153042-a..b'])(
  "the id '%s' is refused before anything is written",
  async (id) => {
    const { handoff, task, dir } = handoffWorld()
    await expect(handoff.create({ ...task, id: id as typeof task.id }, {})).rejects.toMatchObject({
      code: 'INVALID_ID',
    })
    expect(readdirSync(dir)).toEqual(['project'])
  },
)

test('calls for one task happen in the order they were made', async () => {
  const { handoff, task, view, originals } = handoffWorld()
  await handoff.create(task, {})
  await handoff.finishDraft(task)
  const numbers = Array.from({ length: 50 }, (_, n) => n)
  await Promise.all(numbers.map((n) => handoff.log(task, [info(`line ${n}`)])))
  const logged = text(`${originals}/session.log`).match(/line \d+/g)
  expect(logged).toEqual(numbers.map((n) => `line ${n}`))
  expect(text(`${view}/session.log`)).toBe(text(`${originals}/session.log`))
})

test('six hundred tasks stay within the descriptors allowed, and closing gives all back', async () => {
  const { handoff, project, dir } = handoffWorld({ mostOpen: 64 })
  const before = openFilesOf({ dir })
  const tasks = Array.from({ length: 600 }, (_, n) => taskIn(project, `t${n}`))
  await Promise.all(tasks.map((task) => handoff.create(task, {})))
  await Promise.all(tasks.map((task) => handoff.finishDraft(task)))
  await Promise.all(tasks.map((task) => handoff.appendOutput(task, 0, `from ${task.id}\n`)))
  expect(openFilesOf({ dir })).toBeLessThanOrEqual(before + 64)
  for (const task of tasks)
    expect(text(`${project}/.holdfast/sessions/${task.id}/output.log`)).toBe(`from ${task.id}\n`)
  for (const task of tasks.slice(0, 300)) await handoff.close(task)
  await handoff.closeAll()
  expect(openFilesOf({ dir })).toBe(before)
}, 120_000)
