// A home that the released 0.1.0 left when the machine lost its power (test/fixtures/homes) is taken up by today's daemon.
// Everything is asked of commands and the API: a new way to represent tasks inside must not change any of this.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import type { MonitorJson } from '../../src/protocol/json/monitor-json.ts'
import type { OpenQuestionJson, ParksJson, WhyJson } from '../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson, TaskListJson } from '../../src/protocol/json/task-json.ts'
import { textIn, untilPhase } from '../helpers/faults.ts'
import { type Left, unpackHome } from '../helpers/unpack-home.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Nothing is due yet: pauses are half an hour, the limit is a day. */
const JUST_NOW: Left = { agoMs: 10_000, boot: 'this' }
const BEFORE_A_REBOOT: Left = { agoMs: 10_000, boot: 'another' }
const TWO_DAYS_AGO: Left = { agoMs: 2 * DAY_MS, boot: 'another' }

/** The two ways in which a process can be gone without a word. */
const GONE = [
  ['its process vanished', JUST_NOW],
  ['the machine was restarted', BEFORE_A_REBOOT],
] as const

/** As in the home's own settings, where they decide how long a stored pause may be. */
const CONFIG = 'backoff.cap: 1h\nwake.stagger: 50ms\nreconcile.interval: 300ms\nmaxConcurrent: 20\n'
const PATIENCE_MS = 30_000
vi.setConfig({ testTimeout: 4 * PATIENCE_MS })

/** A world in which today's daemon has taken up the old home. `files` were put into the project before. */
async function upgraded(left: Left, files: readonly string[] = []) {
  const world = await startWorld({ retries: 10, config: CONFIG })
  unpackHome('0.1.0', world, left)
  for (const name of files) writeFileSync(join(world.project, name), '')
  const old = readOriginals(world)
  const idOf = (name: string) => old.get(name)!.id
  await world.ok(['up'])
  return {
    ...world,
    idOf,
    /** As 0.1.0 left it. */
    old: (name: string) => old.get(name)!,
    now: (name: string) => world.status(idOf(name)),
    why: (name: string) => world.json<WhyJson>(['why', idOf(name)]),
    until: (name: string, phase: string) => untilPhase(world, idOf(name), phase),
    untilCompleted: (name: string) => world.untilStatus(idOf(name), 'COMPLETED', PATIENCE_MS),
    open: async () => (await world.json<{ questions: OpenQuestionJson[] }>(['questions'])).questions,
    touch: (file: string) => writeFileSync(join(world.project, file), ''),
    /** All that its agent was told in the session it is in now. */
    told: async (name: string) => {
      const { agent_session_id } = await world.status(idOf(name))
      return world.heard().filter(({ session }) => session === agent_session_id)
    },
  }
}

/** By name, which is the end of an id. */
function readOriginals({ home }: World) {
  const originalsOf = (id: string) => {
    const read = (file: string) => readFileSync(join(home, 'tasks', id, file), 'utf8')
    const state: TaskDetailJson = JSON.parse(read('state.json'))
    return { id, state, prompt: read('prompt.md'), output: read('output.log'), session: read('session.log') }
  }
  const ids = readdirSync(join(home, 'tasks'))
  return new Map(ids.map((id) => [id.replace(/^\d+-\d+-/, ''), originalsOf(id)]))
}

const TASKS = [
  'asking-conversation',
  'asking-holdfast',
  'asking-terminal',
  'backing-off',
  'behind-gate',
  'cancelled',
  'completed',
  'draft-stored',
  'ended-unseen',
  'failed',
  'idle-conversation',
  'idle-terminal',
  'parked',
  'queued',
  'starting',
  'stopped-interrupted',
  'stopped-quit',
  'stuck',
  'verifying',
  'working',
]

test('every task of the old home is listed and counted, with its time, its author and what it is about', async () => {
  const home = await upgraded(JUST_NOW)
  const { tasks, totals } = await home.json<TaskListJson>(['list', '--all'])
  expect(tasks.map(({ session_id }) => session_id).sort()).toEqual(TASKS.map(home.idOf).sort())
  expect(totals).toMatchObject({ total: TASKS.length })
  expect((await home.health()).stats.total).toBe(TASKS.length)
  for (const name of TASKS)
    expect(await home.now(name)).toMatchObject({
      created_at: home.old(name).state.created_at,
      created_by: 'someone',
      title: home.old(name).prompt.split('\n')[0],
    })
})

test('the record of who did what begins with what 0.1.0 recorded', async () => {
  const home = await upgraded(JUST_NOW)
  const { entries } = await home.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', 'task_created'])
  expect(entries.map(({ session_id }) => session_id).sort()).toEqual(TASKS.map(home.idOf).sort())
  expect(entries.every(({ actor }) => actor === 'someone')).toBe(true)
})

test('the events that 0.1.0 recorded are read as before, and new ones follow them', async () => {
  const home = await upgraded(JUST_NOW)
  const read = (name: string) => home.json<MonitorJson>(['monitor', home.idOf(name), '--cursor', name])
  const before = (await read('completed')).events!
  const after = (await read('queued')).events!
  expect(before.map(({ event }) => event)).toEqual(['task_created', 'task_launched', 'task_completed'])
  expect(after.map(({ event }) => event)).toEqual(expect.arrayContaining(['task_created', 'task_completed']))
  const seqs = [...before, ...after].map(({ seq }) => seq)
  expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
})

test.each([
  ['completed', 'COMPLETED'],
  ['failed', 'FAILED'],
  ['cancelled', 'KILLED'],
])('the task that was %s is as it was: its end, its result and its logs', async (name, status) => {
  const home = await upgraded(JUST_NOW)
  const { exit_code, exit_signal, reason, started_at, completed_at } = home.old(name).state
  expect(await home.now(name)).toMatchObject({
    ...{ status, phase: null, exit_code, exit_signal, reason, started_at, completed_at },
    questions: [],
  })
  expect(await home.ok(['logs', home.idOf(name)])).toBe(home.old(name).output)
  expect((await home.why(name)).runs).toHaveLength(1)
  expect(textIn(home, `${name}.txt`)).toBe('one\n')
})

test('a parked task stays behind its gate until the time that was promised, and so does who is queued there', async () => {
  const home = await upgraded(JUST_NOW)
  const { waits_until } = await home.now('parked')
  await home.untilCompleted('queued')
  expect(await home.json<ParksJson>(['parks'])).toMatchObject({
    gates: [
      { kind: 'limit', canary: null, tries: 0, waiting: [home.idOf('parked'), home.idOf('behind-gate')] },
    ],
    parked: [],
  })
  expect(Date.parse(waits_until!)).toBeGreaterThan(Date.now() + 0.9 * DAY_MS)
  const waits = { waits_for: 'limit', waits_until }
  expect(await home.now('parked')).toMatchObject({ status: 'RUNNING', phase: 'parked', ...waits })
  expect(await home.now('behind-gate')).toMatchObject({ status: 'CREATED', phase: 'queued', ...waits })
  expect((await home.why('parked')).runs).toHaveLength(1)
})

test('when a person opens the gate, the parked task goes on in its session, and who is queued there starts', async () => {
  const home = await upgraded(JUST_NOW, ['limit-is-over'])
  await home.ok(['unpark', '--all'])
  await home.untilCompleted('parked')
  await home.untilCompleted('behind-gate')
  expect(textIn(home, 'parked.txt')).toBe('one\ntwo\n')
  expect(textIn(home, 'behind-gate.txt')).toBe('one\n')
  expect((await home.told('parked')).map(({ resumed }) => resumed)).toEqual([false, true])
})

test('when the time of the gate has come, the parked task tries first, and who is queued there follows', async () => {
  const home = await upgraded(TWO_DAYS_AGO, ['limit-is-over'])
  await home.untilCompleted('parked')
  await home.untilCompleted('behind-gate')
  expect(textIn(home, 'parked.txt')).toBe('one\ntwo\n')
  const [[, tried], [first]] = [await home.told('parked'), await home.told('behind-gate')]
  expect(tried).toMatchObject({ resumed: true })
  expect(first!.at).toBeGreaterThan(tried!.at)
  expect((await home.json<ParksJson>(['parks'])).gates).toEqual([])
})

test('a task that backs off keeps its pause', async () => {
  const home = await upgraded(JUST_NOW)
  const { waits_until } = await home.now('backing-off')
  await home.untilCompleted('queued')
  const task = await home.now('backing-off')
  expect(task).toMatchObject({ phase: 'backing_off', waits_for: 'time', waits_until, retries: 2 })
  expect(Date.parse(waits_until!)).toBeGreaterThan(Date.now() + 10 * 60_000)
  expect((await home.why('backing-off')).runs).toHaveLength(2)
})

test('a task whose pause is over goes on in its session', async () => {
  const home = await upgraded(TWO_DAYS_AGO)
  await home.untilCompleted('backing-off')
  expect(textIn(home, 'backing-off.txt')).toBe('one\ntwo\n')
  expect((await home.told('backing-off')).map(({ resumed }) => resumed)).toEqual([false, true, true])
})

test('a queued task has its turn, once', async () => {
  const home = await upgraded(JUST_NOW)
  expect(await home.untilCompleted('queued')).toMatchObject({ reason: 'the agent finished' })
  expect(textIn(home, 'queued.txt')).toBe('one\n')
  expect((await home.why('queued')).runs).toMatchObject([{ number: 1, how: 'start', state: 'exited' }])
})

test('a launch that did not happen is void, and the task is launched again', async () => {
  const home = await upgraded(JUST_NOW)
  await home.untilCompleted('starting')
  expect(textIn(home, 'starting.txt')).toBe('one\n')
  expect((await home.why('starting')).runs).toMatchObject([{ state: 'void' }, { state: 'exited' }])
})

test('a draft whose task was stored is kept, and the task has its turn', async () => {
  const home = await upgraded(JUST_NOW)
  const { workspace } = await home.untilCompleted('draft-stored')
  expect(readdirSync(join(home.home, 'drafts'))).toEqual([])
  expect(readdirSync(workspace)).toEqual(expect.arrayContaining(['prompt.md', 'result.json', 'state.json']))
  expect(textIn(home, 'draft-stored.txt')).toBe('one\n')
})

test('a draft whose task was not stored is removed without a trace', async () => {
  const home = await upgraded(JUST_NOW)
  const id = home.idOf('draft-unstored')
  expect(id).toBeDefined()
  const places = [
    join(home.home, 'drafts', id),
    join(home.home, 'tasks', id),
    join(home.project, '.holdfast/sessions', id),
  ]
  expect(places.filter((path) => existsSync(path))).toEqual([])
  expect(await home.cli(['status', id])).toMatchObject({ code: 1 })
  await home.untilCompleted('queued')
  expect(textIn(home, 'draft-unstored.txt')).toBe('')
})

test.each(GONE)('a task at work whose agent is gone is resumed in its session: %s', async (_, left) => {
  const home = await upgraded(left)
  await waitFor('its next run', async () => (await home.told('working')).length === 2, PATIENCE_MS)
  home.touch('go-working')
  expect(await home.untilCompleted('working')).toMatchObject({ reason: 'the agent finished' })
  expect(textIn(home, 'working.txt')).toBe('one\ntwo\n')
  expect((await home.told('working')).map(({ resumed }) => resumed)).toEqual([false, true])
  const { story, runs } = await home.why('working')
  expect(runs).toMatchObject([{ state: 'lost' }, { how: 'resume', state: 'exited' }])
  expect(story.map(({ reason }) => reason)).toContain(
    left.boot === 'this'
      ? 'its process vanished without an exit record'
      : 'the machine was restarted while it ran',
  )
  const session = await home.ok(['logs', home.idOf('working'), '--session'])
  expect(session.startsWith(home.old('working').session)).toBe(true)
  expect(session.match(/Session created/g)).toHaveLength(1)
})

test.each(GONE)('an agent that finished after the daemon was gone is harvested: %s', async (_, left) => {
  const home = await upgraded(left)
  expect(await home.untilCompleted('ended-unseen')).toMatchObject({
    exit_code: 0,
    reason: 'the agent finished',
  })
  expect(textIn(home, 'ended-unseen.txt')).toBe('one\ntwo\n')
  expect((await home.why('ended-unseen')).runs).toMatchObject([{ state: 'exited', exit: 'code 0' }])
  expect(await home.told('ended-unseen')).toHaveLength(1)
})

test.each(GONE)(
  'idle agents come back, are told nothing, and hear their next prompt: %s',
  async (_, left) => {
    const home = await upgraded(left)
    for (const name of ['idle-terminal', 'idle-conversation']) {
      await waitFor('its next run', async () => (await home.why(name)).runs.length > 1, PATIENCE_MS)
      await home.until(name, 'idle')
      expect(await home.told(name)).toHaveLength(1)
      await home.ok(['send', home.idOf(name), `do: append ${name}.txt two`])
      await waitFor('its next turn', () => textIn(home, `${name}.txt`) === 'one\ntwo\n', PATIENCE_MS)
      await home.until(name, 'idle')
      expect((await home.told(name)).map(({ heard }) => heard)).toEqual([
        `do: append ${name}.txt one`,
        `do: append ${name}.txt two`,
      ])
    }
  },
)

/** What is asked, what is answered, and what is in the file of the task in the end. */
const questions = [
  ['asking-holdfast', 'asking', 'log in first. Mend it and resume, or close?', 'resume', 'one\ntwo\n'],
  ['stuck', 'stuck', expect.stringContaining('It died 3 times'), 'retry', 'two\n'],
  [
    'stopped-quit',
    'stopped_by_person',
    'Stopped by you (left in its terminal): resume or close?',
    'resume',
    'two\n',
  ],
] as const
test.each(questions)(
  '%s keeps its question, and goes on when it is answered',
  async (name, phase, question, answer, text) => {
    const home = await upgraded(BEFORE_A_REBOOT, ['mended', `go-${name}`])
    await home.untilCompleted('queued')
    const { questions, ...task } = await home.now(name)
    expect(task).toMatchObject({ task_status: 'waiting_input', phase, reason: home.old(name).state.reason })
    expect(questions).toMatchObject([{ number: 1, question }])
    expect(await home.open()).toContainEqual(
      expect.objectContaining({ ...questions[0], session_id: home.idOf(name) }),
    )
    await home.ok(['answer', home.idOf(name), answer])
    await waitFor('its last step', () => textIn(home, `${name}.txt`) === text, PATIENCE_MS)
    expect((await home.now(name)).questions).toEqual([])
  },
)

test.each(GONE)(
  'who was interrupted by a person stays stopped until that person decides: %s',
  async (_, left) => {
    const home = await upgraded(left)
    await waitFor(
      'the end of its run',
      async () => (await home.why('stopped-interrupted')).runs[0]?.state === 'lost',
      PATIENCE_MS,
    )
    const stopped = await home.now('stopped-interrupted')
    expect(stopped).toMatchObject({
      phase: 'stopped_by_person',
      questions: [
        {
          question: 'Stopped by you (interrupted in its terminal): resume or close?',
          options: ['resume', 'close'],
        },
      ],
    })
    expect(await home.open()).toContainEqual(expect.objectContaining({ session_id: stopped.session_id }))
    await home.untilCompleted('queued')
    expect(await home.told('stopped-interrupted')).toHaveLength(1)
    await home.ok(['answer', stopped.session_id, 'resume'])
    await waitFor(
      'its next turn',
      async () => (await home.told('stopped-interrupted')).length === 2,
      PATIENCE_MS,
    )
    expect((await home.told('stopped-interrupted'))[1]).toMatchObject({ resumed: true })
    expect(await home.until('stopped-interrupted', 'idle')).toMatchObject({ questions: [] })
  },
)

test.each(GONE)('agents that asked are resumed, ask again and are answered: %s', async (_, left) => {
  const home = await upgraded(left)
  for (const name of ['asking-terminal', 'asking-conversation']) {
    await waitFor('its next run', async () => (await home.why(name)).runs.length > 1, PATIENCE_MS)
    const { questions } = await home.until(name, 'asking')
    expect(questions).toMatchObject([{ question: 'Which colour?', options: ['red', 'green'] }])
    const open = (await home.open()).filter(({ session_id }) => session_id === home.idOf(name))
    expect(open).toMatchObject(questions)
    await home.ok(['answer', home.idOf(name), 'green'])
    await waitFor('its last step', () => textIn(home, `${name}.txt`) === 'one\ntwo\n', PATIENCE_MS)
    expect(await home.until(name, 'idle')).toMatchObject({ questions: [] })
  }
})

test.each(GONE)('a task that was being verified is verified again, and completed: %s', async (_, left) => {
  const home = await upgraded(left)
  await waitFor(
    'its check to begin again',
    () => textIn(home, 'checked.txt') === 'begun\nbegun\n',
    PATIENCE_MS,
  )
  expect(await home.now('verifying')).toMatchObject({ status: 'RUNNING', phase: 'verifying' })
  home.touch('work-is-good')
  expect(await home.untilCompleted('verifying')).toMatchObject({ status: 'COMPLETED' })
  expect((await home.why('verifying')).runs).toHaveLength(1)
  expect(textIn(home, 'verifying.txt')).toBe('one\n')
})
