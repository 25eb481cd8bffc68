// Questions of agents that hear nothing while they live: they are resumed with the answer, or it is said what can be done.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOfAnswer } from '../../src/domain/task/go-on.ts'
import type { ErrorJson } from '../../src/protocol/json/error-json.ts'
import type { AnsweredJson } from '../../src/protocol/json/input-json.ts'
import type { OpenQuestionJson } from '../../src/protocol/json/recovery-json.ts'
import { agentPid, recovering, textIn, untilPhase } from '../helpers/faults.ts'
import { isAlive } from '../helpers/is-alive.ts'
import { tempDir } from '../helpers/temp-dir.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { World } from '../helpers/world.ts'

/** What its agent took for answers. */
const answersIn = (world: World): string[] => {
  const sessions = join(world.user, '.local/state/holdfast-scripted-agent/sessions')
  const texts = readdirSync(sessions).map((name) => readFileSync(join(sessions, name), 'utf8'))
  return texts.flatMap((text) =>
    [...text.matchAll(/^{"answered":"(.*?)"/gm)].map(([, answer = '']) => answer),
  )
}

const ASKS =
  'do: append done.txt one\ndo: ask Which colour? | red | blue\ndo: append done.txt two\ndo: finish ok'

test('a one-shot agent that asks is ended and resumed with the answer, which it gets once', async () => {
  const world = await recovering()
  const id = await world.run(ASKS)
  const asking = await untilPhase(world, id, 'asking')
  expect(asking.questions).toMatchObject([{ options: ['red', 'blue'], answer_way: 'resume' }])
  expect(asking.next).toMatchObject({
    kind: 'awaits_answer',
    what: expect.stringContaining('resumed with it'),
  })
  const pid = await agentPid(world, id)
  expect(await world.ok(['answer', id, 'blue'])).toBe(`Answered: blue. ${id} is resumed with this answer.\n`)
  await world.untilStatus(id, 'COMPLETED')
  expect(isAlive(pid)).toBe(false)
  expect(textIn(world, 'done.txt')).toBe('one\ntwo\n')
  expect(world.heard().map(({ heard }) => heard)).toEqual([ASKS, wordsOfAnswer('Which colour?', 'blue')])
  expect(await world.ok(['logs', id])).toContain('blue')
})

test('an answer survives the death of the daemon while the agent is being ended, and is given once', async () => {
  const world = await recovering()
  const id = await world.run(`do: ignore-term\n${ASKS}`)
  await untilPhase(world, id, 'asking')
  const pid = await agentPid(world, id)
  const answering = world.cli(['answer', id, 'red'])
  await waitFor('the answer to be stored', async () => (await world.status(id)).phase !== 'asking')
  await world.killDaemon()
  expect(isAlive(pid)).toBe(true)
  await answering
  await world.untilStatus(id, 'COMPLETED')
  expect(isAlive(pid)).toBe(false)
  expect(
    world
      .heard()
      .slice(1)
      .map(({ heard }) => heard),
  ).toEqual([wordsOfAnswer('Which colour?', 'red')])
})

test('of two who answer at once one is told that it was answered already, and the agent gets the other answer', async () => {
  const world = await recovering()
  const id = await world.run(ASKS)
  await untilPhase(world, id, 'asking')
  const both = await Promise.all(['red', 'blue'].map((choice) => world.cli(['answer', id, choice])))
  expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
  expect(both.find(({ code }) => code === 1)!.stderr).toMatch(/ALREADY_ANSWERED|NOT_ASKING/)
  await world.untilStatus(id, 'COMPLETED')
  const taken = both[0]!.code === 0 ? 'red' : 'blue'
  expect(world.heard().map(({ heard }) => heard)).toEqual([ASKS, wordsOfAnswer('Which colour?', taken)])
})

test('killed over its second question, agent and daemon, it asks that one again and not the first', async () => {
  const world = await recovering()
  const id = await world.run('do: ask First? | red | green\ndo: ask Second? | up | down\ndo: finish ok')
  const asking = async (question: string) =>
    waitFor(question, async () => (await world.status(id)).questions.some((one) => one.question === question))
  await asking('First?')
  await world.ok(['answer', id, 'red'])
  await asking('Second?')
  const pid = await agentPid(world, id)
  await world.killDaemon()
  process.kill(pid, 'SIGKILL')
  await world.ok(['list'])
  await asking('Second?')
  await world.ok(['answer', id, 'down'])
  await world.untilStatus(id, 'COMPLETED')
  expect(answersIn(world)).toEqual(['red', 'down'])
  const output = await world.ok(['logs', id])
  expect(output.match(/asks: First\?/g)).toHaveLength(1)
})

test('an answer that a rule of the user gives reaches a one-shot agent by resuming it', async () => {
  const world = await recovering('answers: [{ match: "^Which colour", answer: red }]\n')
  await world.untilStatus(await world.run(ASKS), 'COMPLETED')
  expect(world.heard().map(({ heard }) => heard)).toEqual([ASKS, wordsOfAnswer('Which colour?', 'red')])
})

const SESSION = '11111111-2222-3333-4444-555555555555'
/** Told: its session, then a question, then it leaves. Resumed: it keeps what it hears, and is done. */
const SCRIPT = `#!/bin/sh
cat >>heard.txt
if [ "$1" = resume ]; then echo "All done: $(tail -n 1 heard.txt)"; exit 0; fi
echo "session ${SESSION}"
echo "? Overwrite it"
[ ! -e stay ] || while :; do sleep 0.1; done
exit "$(cat code 2>/dev/null || echo 0)"
`

async function withCustomAgent(resume: boolean) {
  const program = join(tempDir('hfbin'), 'agent')
  writeFileSync(program, SCRIPT, { mode: 0o755 })
  const patterns = { session: 'session (\\S+)', done: '^All done: (.*)', asking: '^\\? (.*)' }
  const custom = {
    argv: [program, 'start'],
    patterns: { ...patterns, ...(resume ? {} : { session: undefined }) },
    ...(resume ? { resume: [program, 'resume', '{session_id}'] } : {}),
  }
  const world = await recovering(`agents: ${JSON.stringify({ custom })}\n`)
  return { ...world, begin: () => world.run('work\n', '--agent', 'custom') }
}

test.each(['0', '3'])(
  'a custom agent that asks and leaves (exit %s) is resumed with the answer',
  async (code) => {
    const world = await withCustomAgent(true)
    writeFileSync(join(world.project, 'code'), code)
    const id = await world.begin()
    await waitFor('it to leave', async () => (await world.status(id)).exit_code !== null)
    const asking = await untilPhase(world, id, 'asking')
    expect(asking).toMatchObject({ status: 'RUNNING', task_status: 'waiting_input', reason: 'Overwrite it' })
    const { questions } = await world.json<{ questions: OpenQuestionJson[] }>(['questions'])
    expect(questions).toMatchObject([{ session_id: id, question: 'Overwrite it', answer_way: 'resume' }])
    await world.killDaemon()
    const answered = await world.json<AnsweredJson>(['answer', id, 'yes, but keep a copy'])
    expect(answered).toMatchObject({ settled: true, question: { answer_way: 'resume' } })
    await world.untilStatus(id, 'COMPLETED')
    expect(textIn(world, 'heard.txt')).toBe(`work\n${wordsOfAnswer('Overwrite it', 'yes, but keep a copy')}`)
  },
)

test.each([true, false])(
  'only retry and kill are offered for an agent that asks and can neither hear nor be resumed (it left: %s)',
  async (left) => {
    const world = await withCustomAgent(false)
    if (!left) writeFileSync(join(world.project, 'stay'), '')
    const id = await world.begin()
    if (left) await waitFor('it to leave', async () => (await world.status(id)).exit_code !== null)
    const asking = await untilPhase(world, id, 'asking')
    expect(asking.questions).toMatchObject([{ question: 'Overwrite it', answer_way: 'none' }])
    expect(asking.next.kind).toBe('cannot_be_answered')
    for (const command of [['questions'], ['status', id], ['why', id], ['monitor', id]]) {
      const { stdout } = await world.cli(command)
      expect(stdout).toContain(`holdfast retry ${id}`)
      expect(stdout).toContain(`holdfast kill ${id}`)
      expect(stdout).not.toContain('holdfast answer')
    }
    const refused = await world.cli(['answer', id, 'yes', '--json'])
    expect((JSON.parse(refused.stdout) as { error: ErrorJson }).error.code).toBe('AGENT_CANNOT')
    await world.ok(['retry', id])
    await waitFor('it to be told again', () => textIn(world, 'heard.txt').split('work\n').length === 3)
    const told = textIn(world, 'heard.txt')
    expect(told).toContain('a person asked to begin anew')
    expect(told).not.toContain('its session is lost')
    await untilPhase(world, id, 'asking')
    await world.ok(['kill', id, '--force'])
    await world.untilStatus(id, 'KILLED')
  },
)

test('an answer that closes a task says that it ended', async () => {
  const world = await recovering()
  const id = await world.run('do: run sh -c "kill -9 $PPID"')
  await untilPhase(world, id, 'stuck')
  expect(await world.ok(['answer', id, 'close'])).toBe(`Answered: close. ${id} has ended (KILLED).\n`)
  expect(readFileSync(join(world.project, '.holdfast/sessions', id, 'state.json'), 'utf8')).toContain(
    'KILLED',
  )
})
