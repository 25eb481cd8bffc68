import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTINUATION_AFTER_COMPLETION } from '../../src/domain/task/go-on.ts'
import type { AuditEntryJson } from '../../src/protocol/json/daemon-json.ts'
import type {
  OpenQuestionJson,
  ParksJson,
  UnparkedJson,
  WhyJson,
} from '../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../src/protocol/json/task-json.ts'
import { untilPhase } from '../helpers/faults.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const why = (world: World, id: string) => world.json<WhyJson>(['why', id])
const audited = async (world: World, kind: string) =>
  (await world.json<{ entries: AuditEntryJson[] }>(['audit', '--kind', kind])).entries

test('an ended task goes on in its session with the words given and in the environment of who brings it back', async () => {
  const world = await startWorld({ config: 'env.pass: [PASSED]\n' })
  const id = await world.run('do: say one\ndo: fail no way', '--env', 'ASKED=then')
  await world.untilStatus(id, 'FAILED')
  const prompt = 'do: env ASKED\ndo: env PASSED\ndo: env OTHER\ndo: finish whole'
  const env = { ASKED: 'now', PASSED: 'yes', OTHER: 'no', HOLDFAST_TASK_ID: 'spoofed' }
  const resumed = await world.json<TaskDetailJson>(['resume', id, '--file', '-'], { input: prompt, env })
  expect(resumed).toMatchObject({ session_id: id, completed_at: null, exit_code: null })
  const state = join(world.project, '.holdfast/sessions', id, 'state.json')
  expect(JSON.parse(readFileSync(state, 'utf8')).status).not.toBe('FAILED')
  const task = await world.untilStatus(id, 'COMPLETED')
  expect(task.retries).toBe(0)
  const [first, second] = world.heard()
  expect(second).toMatchObject({ heard: prompt, resumed: true, session: first!.session })
  const log = await world.ok(['logs', id])
  expect(log).toContain('ASKED=now')
  expect(log).toContain('PASSED=yes')
  expect(log).not.toContain('OTHER=no')
  const { story, runs } = await why(world, id)
  expect(story.map(({ event }) => event)).toEqual(expect.arrayContaining(['failed', 'reopened', 'completed']))
  expect(runs).toMatchObject([
    { number: 1, how: 'start', exit: 'code 1' },
    { number: 2, how: 'resume', exit: 'code 0' },
  ])
  expect(await audited(world, 'task_resume')).toHaveLength(1)
})

test('a task that ran out of its working time has it again when it is brought back', async () => {
  // So often that a task without time left would be ended before it is done.
  const world = await startWorld({ config: 'reconcile.interval: 100ms\n' })
  const id = await world.run('do: wait-for go\ndo: wait 0.5\ndo: finish whole', '--max-duration', '3s')
  expect(await world.untilStatus(id, 'KILLED')).toMatchObject({
    reason: expect.stringMatching(/^Timeout: /),
  })
  writeFileSync(join(world.project, 'go'), '')
  await world.ok(['resume', id])
  await world.untilStatus(id, 'COMPLETED')
})

test('a session that had finished is not told that it was interrupted when it is resumed', async () => {
  const world = await startWorld()
  const id = await world.run('do: finish whole')
  await world.untilStatus(id, 'COMPLETED')
  await world.ok(['resume', id])
  await waitFor('its second end', async () => (await why(world, id)).runs.at(1)?.exit === 'code 0')
  expect(await world.ok(['logs', id])).toContain(`agent: ECHO: ${CONTINUATION_AFTER_COMPLETION}`)
})

test('retry leaves the session behind and tells what was done', async () => {
  const world = await startWorld()
  const id = await world.run(
    'do: tool 0 npm test\ndo: run sh -c "test -e mended || kill -9 $PPID"\ndo: finish whole',
  )
  await world.untilStatus(id, 'FAILED')
  writeFileSync(join(world.project, 'mended'), '')
  await world.ok(['retry', id])
  await world.untilStatus(id, 'COMPLETED')
  const [first, second] = world.heard().sort((a, b) => a.heard.length - b.heard.length)
  expect(second!.session).not.toBe(first!.session)
  expect(second!.heard).toMatch(/\[Resume Context\][\s\S]*npm test/)
  expect((await why(world, id)).runs.map(({ how }) => how)).toEqual(['start', 'with_context'])
})

test('what goes on already, or is unknown, is neither resumed nor unparked', async () => {
  const world = await startWorld()
  const id = await world.run('do: hang')
  await untilPhase(world, id, 'working')
  const words = await Promise.all(
    [
      ['resume', id],
      ['retry', id],
      ['unpark', id],
      ['handback', id],
      ['resume', 'nobody'],
    ].map((argv) => world.cli(argv)),
  )
  expect(words.map(({ code }) => code)).toEqual([1, 1, 1, 1, 1])
  expect(words.map(({ stderr }) => /\(([A-Z_]+)\)/.exec(stderr)?.[1])).toEqual([
    'TASK_ACTIVE',
    'TASK_ACTIVE',
    'NOT_PARKED',
    'TASK_ACTIVE',
    'TASK_NOT_FOUND',
  ])
})

test('a run may not resume, retry, take over, hand back or unpark a task', async () => {
  const world = await startWorld()
  const id = await world.run('do: fail no')
  const { run_id } = await world.untilStatus(id, 'FAILED')
  const env = { HOLDFAST_RUN: run_id! }
  const commands = [
    ['resume', id],
    ['retry', id],
    ['takeover', id],
    ['handback', id],
    ['unpark', id],
    ['unpark', '--all'],
  ]
  const said = await Promise.all(commands.map((argv) => world.cli(argv, { env })))
  for (const one of said)
    expect(one).toMatchObject({ code: 1, stderr: expect.stringContaining('(NOT_ALLOWED_FOR_RUN)') })
  expect((await world.status(id)).status).toBe('FAILED')
})

test('why tells a task that waits for its next retry when that comes, and from what that was decided', async () => {
  const world = await startWorld({ retries: 5, config: 'backoff.base: 1h\nbackoff.cap: 1h\n' })
  const id = await world.run('do: run sh -c "test -e mended || kill -9 $PPID"\ndo: finish whole')
  await untilPhase(world, id, 'backing_off')
  const { reason, next, story } = await why(world, id)
  expect(reason).toContain('SIGKILL')
  expect(next.what).toContain('(retry 2 of 5)')
  const seconds = (Date.parse(next.at!) - Date.now()) / 1000
  expect(seconds).toBeGreaterThan(2000)
  expect(seconds).toBeLessThanOrEqual(3600)
  expect(story.at(-1)).toMatchObject({
    event: 'backed_off',
    to: 'running',
    phase: 'backing_off',
    run: 2,
    evidence: expect.arrayContaining([{ source: 'exit_record', fact: 'signal KILL' }]),
  })
  expect(await world.status(id)).toMatchObject({ phase_until: next.at, retries: 2, next })
  writeFileSync(join(world.project, 'mended'), '')
  await world.ok(['resume', id])
  await world.untilStatus(id, 'COMPLETED')
})

test('an open question comes with the command that answers it, and is gone when it is answered', async () => {
  const world = await startWorld({ retries: 5 })
  const asks = await world.run('do: ask Which colour? | red | green\ndo: finish thanks', '--converse')
  await world.untilStatus(asks, 'waiting_input')
  const { questions } = await world.json<{ questions: OpenQuestionJson[] }>(['questions'])
  expect(questions).toMatchObject([
    { session_id: asks, number: 1, question: 'Which colour?', options: ['red', 'green'] },
  ])
  const [, command = ''] = /Answer with: holdfast (.*)/.exec(await world.ok(['questions'])) ?? []
  expect(await world.ok(command.replace('<choice>', '2').split(' '))).toContain('green')
  await untilPhase(world, asks, 'idle')
  expect(await world.ok(['questions'])).toBe('No open questions\n')
})

test('parks shows the limit and who waits behind it; unpark lets one try, and --all lets all go on', async () => {
  const world = await startWorld({ retries: 5, config: 'wake.stagger: 0ms\n' })
  const script = 'do: limit-until over 7200\ndo: finish whole'
  const first = await world.run(script)
  await untilPhase(world, first, 'parked')
  const second = await world.run('do: finish me too')
  const { gates, parked } = await world.json<ParksJson>(['parks'])
  expect(parked).toEqual([])
  expect(gates).toMatchObject([{ kind: 'limit', agent: 'scripted', canary: null, waiting: [first, second] }])
  const left = (Date.parse(gates[0]!.until) - Date.now()) / 1000
  expect(left).toBeGreaterThan(7000)
  expect((await world.status(second)).next).toMatchObject({ at: gates[0]!.until })
  await world.ok(['unpark', first])
  const tried = await waitFor('the gate to close again', async () => {
    const [gate] = (await world.json<ParksJson>(['parks'])).gates
    return gate?.tries === 1 && gate.canary === null ? gate : undefined
  })
  expect(tried.waiting).toEqual([second, first])
  writeFileSync(join(world.project, 'over'), '')
  expect(await world.json<UnparkedJson>(['unpark', first])).toEqual({ opened: [], tasks: [first] })
  await world.untilStatus(first, 'COMPLETED')
  // The first one got on: the way is free for the other.
  await world.untilStatus(second, 'COMPLETED')
  expect(await world.json<ParksJson>(['parks'])).toEqual({ gates: [], parked: [] })
  rmSync(join(world.project, 'over'))
  const third = await world.run(script)
  await untilPhase(world, third, 'parked')
  const fourth = await world.run(script)
  writeFileSync(join(world.project, 'over'), '')
  const opened = await world.json<UnparkedJson>(['unpark', '--all'])
  expect(opened).toEqual({ opened: [gates[0]!.key], tasks: [third], failures: [] })
  await world.untilStatus(third, 'COMPLETED')
  await world.untilStatus(fourth, 'COMPLETED')
})

test('a question that a rule names is answered by policy, once and on the record; others wait for a person', async () => {
  const rules = [
    "  - {match: '^May I run', agent: scripted, answer: allow}",
    "  - {match: 'colour', answer: blue}",
    "  - {match: 'name', answer: Holdfast}",
  ]
  const world = await startWorld({ config: `answers:\n${rules.join('\n')}\n` })
  const script = 'do: ask May I run npm test? | deny | allow\ndo: ask Your name?\ndo: finish thanks'
  const id = await world.run(script, '--converse')
  await untilPhase(world, id, 'idle')
  const log = await world.ok(['logs', id])
  expect(log).toContain('answer: allow')
  expect(log).toContain('answer: Holdfast')
  const entries = await audited(world, 'question_answered')
  expect(entries.map(({ actor, detail }) => `${actor}: ${detail}`).sort()).toEqual([
    'policy: May I run npm test? → allow',
    'policy: Your name? → Holdfast',
  ])
  const other = await world.run('do: ask Which colour? | red | green', '--converse')
  await world.untilStatus(other, 'waiting_input')
  await world.killDaemon()
  expect((await world.status(other)).questions).toHaveLength(1)
  await world.ok(['answer', other, 'red'])
  await untilPhase(world, other, 'idle')
})

test('a rule answers a question in a terminal as well', async () => {
  const world = await startWorld({ config: "answers: [{match: 'May I', answer: 'no'}]\n" })
  const id = await world.run('do: ask May I? | yes | no\ndo: append done.txt asked', '--mode', 'interactive')
  await waitFor('the step after the question', () => existsSync(join(world.project, 'done.txt')), 30_000)
  await untilPhase(world, id, 'idle')
  const [entry] = await audited(world, 'question_answered')
  expect(entry).toMatchObject({ actor: 'policy', detail: 'May I? → no' })
})

test('takeover moves a task into its terminal, handback out of it; it is one session all along', async () => {
  const world = await startWorld({ retries: 5 })
  const id = await world.run(
    'do: append done.txt one\ndo: wait-for go\ndo: append done.txt two\ndo: finish whole',
  )
  await waitFor('the first step', () => existsSync(join(world.project, 'done.txt')))
  await waitFor('its session id', async () => (await world.status(id)).agent_session_id ?? undefined)
  await world.ok(['takeover', id])
  const taken = await waitFor(
    'its terminal',
    async () => {
      const task = await world.status(id)
      return task.mode === 'interactive' && task.tmux_active && task.status === 'RUNNING' ? task : undefined
    },
    30_000,
  )
  await waitFor('the second run to be under way', async () => (await world.status(id)).phase !== 'starting')
  await world.ok(['handback', id])
  writeFileSync(join(world.project, 'go'), '')
  const task = await world.untilStatus(id, 'COMPLETED', 30_000)
  expect(task).toMatchObject({ mode: 'headless', agent_session_id: taken.agent_session_id })
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('one\ntwo\n')
  const { runs, story } = await why(world, id)
  expect(runs.map(({ how }) => how)).toEqual(['start', 'resume', 'resume'])
  expect(story.map(({ reason }) => reason).join()).toMatch(/takeover by .*handback by/)
})

test('taken over before its session began, a task is told its prompt in its terminal, once', async () => {
  const world = await startWorld()
  const hangs = join(world.root, 'hangs.cjs')
  writeFileSync(
    hangs,
    `const [, program = '', ...args] = process.argv
     if (program.endsWith('scripted-agent.js') && !args.includes('--tui')) {
       require('node:fs').writeFileSync(${JSON.stringify(join(world.root, 'hung'))}, '')
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
     }`,
  )
  const id = await world.run('do: append done.txt once', '--env', `NODE_OPTIONS=--require=${hangs}`)
  await waitFor('its agent to hang', () => existsSync(join(world.root, 'hung')))
  await waitFor('it to work', async () => (await world.status(id)).phase === 'working')
  await world.ok(['takeover', id])
  await untilPhase(world, id, 'idle')
  expect(await world.status(id)).toMatchObject({ mode: 'interactive', retries: 0 })
  expect(readFileSync(join(world.project, 'done.txt'), 'utf8')).toBe('once\n')
  expect(world.heard().map(({ heard }) => heard)).toEqual(['do: append done.txt once'])
})
