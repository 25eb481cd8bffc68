import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { whyLines } from '../../../../src/cli/render/text/why-text.ts'
import type { ResumeJson, WhyJson } from '../../../../src/protocol/json/recovery-json.ts'
import { aQuestionJson } from '../../../builders/question-json.ts'
import { aNext, aTaskJson } from '../../../builders/task-json.ts'
import { builtCli } from '../../built-cli.ts'
import { bulk, standInDaemon } from '../../stand-in-daemon.ts'

const { run } = builtCli()
const task = aTaskJson({
  next: aNext({ kind: 'queued', what: 'resumes its session as soon as a slot is free' }),
})
const ID = task.session_id
const iso = (ms: number) => new Date(ms).toISOString()

test('resume sends the whole environment and no prompt, also where stdin is not a terminal', async () => {
  const { home, asked } = await standInDaemon({ [`POST /api/tasks/${ID}/resume`]: () => task })
  const { code, stdout } = await run(home, ['resume', ID], { env: { OTHER: 'o' }, input: 'not a prompt' })
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `${ID} goes on.\n  Next: resumes its session as soon as a slot is free\n`,
  })
  const body = asked[0]!.body as ResumeJson
  expect(body.env).toMatchObject({ OTHER: 'o', HOME: home })
  expect(body).not.toHaveProperty('prompt')
})

test.each([
  ['words', ['resume', ID, 'go', 'on'], '', 'go on'],
  ['stdin', ['resume', ID, '-'], 'from stdin', 'from stdin'],
  ['a file', ['resume', ID, '--file', 'p.md'], '', 'from a file'],
])('resume takes its prompt from %s', async (_, argv, input, prompt) => {
  const { home, asked } = await standInDaemon({ [`POST /api/tasks/${ID}/resume`]: () => task })
  writeFileSync(join(home, 'p.md'), 'from a file')
  await run(home, argv, { cwd: home, input })
  expect((asked[0]!.body as ResumeJson).prompt).toBe(prompt)
})

test('retry sends the environment', async () => {
  const { home, asked } = await standInDaemon({ [`POST /api/tasks/${ID}/retry`]: () => task })
  const { stdout } = await run(home, ['retry', ID, '--json'])
  expect(JSON.parse(stdout)).toEqual(task)
  expect(asked[0]!.body).toMatchObject({ env: { HOME: home } })
})

test('takeover tells how to attach and how to hand back; --attach needs a terminal before anything is moved', async () => {
  const { home, asked } = await standInDaemon({ [`POST /api/tasks/${ID}/takeover`]: () => task })
  const refused = await run(home, ['takeover', ID, '--attach'])
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--attach needs a terminal') })
  expect(asked).toEqual([])
  const { stdout } = await run(home, ['takeover', ID])
  expect(stdout).toContain(`holdfast attach ${ID}\n`)
  expect(stdout).toContain(`holdfast handback ${ID}\n`)
})

test('questions come with their options and the command that answers them', async () => {
  const asked_at = iso(Date.now() - 65_000)
  const colour = { question: 'Which\x1b[2J colour?', options: ['red', 'green'] }
  const question = aQuestionJson({ number: 2, ...colour, asked_at })
  const one = { session_id: ID, agent: 'dev', ...question }
  const own = { ...one, session_id: 'other', asked_by: 'holdfast' }
  const questions = [one, { ...one, number: 3 }, own]
  const { home } = await standInDaemon({ 'GET /api/questions': () => ({ questions, tmux: null }) })
  const { stdout } = await run(home, ['questions'])
  expect(stdout).toMatch(/\(dev\) asked 1m \d+s ago: Which\[2J colour\?\n {2}1\. red\n {2}2\. green\n/)
  expect(stdout).toMatch(/^other \(dev\) to be decided for 1m \d+s: Which/m)
  expect(stdout.match(/Answer with: .*/g)).toEqual([
    `Answer with: holdfast answer ${ID} --question 2 <choice>`,
    `Answer with: holdfast answer ${ID} --question 3 <choice>`,
    'Answer with: holdfast answer other <choice>',
  ])
})

test('without questions and parks it says so', async () => {
  const { home } = await standInDaemon({
    'GET /api/questions': () => ({ questions: [], tmux: null }),
    'GET /api/parks': () => ({ gates: [], parked: [] }),
    'POST /api/parks/unpark': bulk(),
  })
  const said = await Promise.all(
    [['questions'], ['parks'], ['unpark', '--all']].map((argv) => run(home, argv)),
  )
  expect(said.map(({ stdout }) => stdout)).toEqual([
    'No open questions\n',
    'Nothing is parked\n',
    'Nothing was parked\n',
  ])
})

test('parks tells whose limit it is, how long it lasts, who waits, and how they go on at once', async () => {
  const gate = {
    key: 'limit:claude-0123456789ab',
    kind: 'limit',
    agent: 'claude',
    reason: 'Usage limit reached',
    since: iso(Date.now() - 60_000),
    until: iso(Date.now() + 7_805_000),
    canary: null,
    tries: 2,
    waiting: ['a', 'b'],
  }
  const trying = { ...gate, kind: 'environment', agent: null, canary: 'c', waiting: ['d'] }
  const parked = [{ session_id: 'e', agent: 'pi', reason: 'seen on its screen', until: iso(Date.now() - 1) }]
  const { home } = await standInDaemon({ 'GET /api/parks': () => ({ gates: [gate, trying], parked }) })
  const { stdout } = await run(home, ['parks'])
  expect(stdout).toMatch(
    /^claude: usage limit, since \S+ \S+, tried 2 times without success\n {2}Usage limit reached\n/,
  )
  expect(stdout).toMatch(/ {2}until .*\d\d:\d\d:\d\d, 2h 10m left\n {4}a\n {4}b\n/)
  expect(stdout).toMatch(/\nAll agents: problem .*\n.*\n {2}c tests whether it is over;.*\n {4}d\n/)
  expect(stdout).toMatch(/\ne \(pi\), only this session\n {2}seen on its screen\n {2}goes on now\n\n/)
  expect(stdout).toMatch(/\n\nInstead of waiting: `holdfast unpark <id>` .*`holdfast unpark --all` .*\n$/)
})

test.each([[['unpark']], [['unpark', 'x', '--all']]])('%j is wrong use', async (argv) => {
  const { home, asked } = await standInDaemon({})
  expect(await run(home, argv)).toMatchObject({ code: 1, stderr: expect.stringContaining('--all') })
  expect(asked).toEqual([])
})

test('status tells what comes next and how long it takes', async () => {
  const at = iso(Date.now() + 65_000)
  const parked = aTaskJson({
    phase: 'parked',
    phase_until: at,
    next: aNext({ kind: 'parked', what: 'resumes its session', at }),
  })
  const { home } = await standInDaemon({ [`GET /api/tasks/${ID}`]: () => parked })
  const { stdout } = await run(home, ['status', ID])
  expect(stdout).toMatch(
    /\nNext: +in 1m [0-5]s \(.*\d\d:\d\d:\d\d\): resumes its session\. At once: `holdfast unpark \S+`\n/,
  )
})

test('why reads as a story: state, evidence, next step, then everything that happened', () => {
  const now = Date.parse('2025-11-18T15:30:46Z')
  const why: WhyJson = {
    session_id: ID,
    status: 'RUNNING',
    task_status: 'running',
    phase: 'backing_off',
    reason: 'killed by SIGKILL before it finished (retry 2 of 10)',
    mode: 'headless',
    bridge: null,
    elsewhere: null,
    waits_for: null,
    waits_until: null,
    kept_back: null,
    next: aNext({
      kind: 'backing_off',
      what: 'resumes its session (retry 2 of 10)',
      at: '2025-11-18T15:30:50Z',
    }),
    question: aQuestionJson({ options: ['yes'] }),
    story: [
      step('2025-11-17T10:00:00Z', 'created', 'created by me', []),
      step('2025-11-18T15:30:42Z', 'backed_off', 'killed by SIGKILL\x1b[2J', [
        { source: 'exit_record', fact: 'signal KILL' },
        { source: 'agent', fact: 'failure: crash' },
      ]),
    ],
    runs: [
      {
        number: 1,
        how: 'start',
        state: 'exited',
        exit: 'signal KILL',
        failure: 'crash',
        tools: 1,
        progress: 2,
        steps: [],
      },
      {
        number: 2,
        how: 'resume',
        state: 'live',
        exit: null,
        failure: null,
        tools: 0,
        progress: 0,
        steps: [],
      },
    ],
  }
  const lines = whyLines(why, now)
  expect(lines.slice(0, 4)).toEqual([
    `${ID}: RUNNING backing off`,
    '  Why:  killed by SIGKILL before it finished (retry 2 of 10)',
    '  Seen: exit record: signal KILL; agent: failure: crash',
    expect.stringMatching(/^ {2}Next: in 4s \(\d\d:\d\d:50\): resumes its session \(retry 2 of 10\)$/),
  ])
  const text = lines.join('\n')
  expect(text).toContain('Question 1: Sure?\n  1. yes')
  expect(text).toMatch(/ {2}2025-11-1\d\n {2}\S+ {2}created +created by me\n {2}2025-11-1\d\n/)
  expect(text).toMatch(/waits a while {2,}killed by SIGKILL\[2J\n +exit record: signal KILL\n +agent: /)
  expect(text).toContain(
    '  1. first start: exited with signal KILL (crash); 1 tool call started, 2 steps done',
  )
  expect(text).toContain('  2. resumed: live')
})

const step = (at: string, event: string, reason: string, evidence: WhyJson['story'][0]['evidence']) => ({
  at,
  event,
  from: 'new',
  to: 'running',
  phase: null,
  reason,
  evidence,
  run: null,
})
