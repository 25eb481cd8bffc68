import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codexDriver } from '../../src/agents/codex/driver.ts'
import { resetTime } from '../../src/domain/recovery/reset-time.ts'
import type { LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { asked, of, outside, say, sessionOf, turn, unboxed } from './codex-talk.ts'
import { useLab } from './lab.ts'

const lab = useLab()
const config = () => join(lab.home, '.codex/config.toml')
const converse = (more: Partial<LaunchRequest> = {}) =>
  lab.start(codexDriver, lab.request({ converse: true, ...more }))
const lastTurns = () =>
  lab
    .requests()
    .at(-1)!
    .turns.map(({ role, text }) => `${role}: ${text}`)

test('killed in the middle of a tool, it goes on by its id and knows what came before', async () => {
  const persona = 'You\'re "the \\ keeper"\n\tof $(things) 🙂'
  const first = converse({ persona, model: 'other-model' })
  await say(first, 'hf-1', 'First DO:shell{sleep 600}')
  await first.until('its tool', ({ kind }) => kind === 'tool_began')
  const killed = await first.kill()
  expect(of(killed, 'finished')).toEqual([])

  const resume = await sessionOf(first)
  const second = converse({ persona, model: 'other-model', resume })
  // At once, as the daemon does: the session is known.
  second.tell(codexDriver.lines!.prompt({ ref: 'hf-2', text: 'DO:text{back}', session: resume }))
  expect(await turn(second)).toMatchObject({ ok: true, text: 'back' })
  expect(await sessionOf(second)).toBe(resume)
  expect(lastTurns()).toContain('user: First DO:shell{sleep 600}')
  expect(lastTurns().join('\n')).toContain('call: exec_command {"cmd":"sleep 600"')
  expect(lab.requests().at(-1)?.system.split(persona)).toHaveLength(2)
  expect(lab.requests().at(-1)?.model).toBe('other-model')
})

test('the tokens of a resumed session are told with those of its earlier lives', async () => {
  const first = converse()
  await say(first, 'hf-1', 'DO:text{one}')
  await turn(first)
  first.hangUp()
  await first.ended
  const second = converse({ resume: await sessionOf(first) })
  await say(second, 'hf-2', 'DO:text{two}')
  await turn(second)
  await second.until('both turns', (said) => said.kind === 'usage' && said.tokensIn === 200)
  expect(of(second, 'usage').every(({ cumulative }) => cumulative)).toBe(true)
})

test.each([
  ['in the middle of a tool', 'DO:shell{sleep 600}', 'tool_began'],
  ['while it asks', unboxed('touch never'), 'asked'],
])('when its input ends %s, it ends without a result', async (_when, prompt, kind) => {
  const running = converse()
  await say(running, 'hf-1', prompt)
  await running.until(kind, (said) => said.kind === kind)
  running.hangUp()
  const outcome = await running.ended
  expect(outcome.signal).toBe(null)
  expect(of(outcome, 'finished').filter(({ ok }) => ok)).toEqual([])
  expect(existsSync(join(lab.project, 'never'))).toBe(false)
})

test.each([
  ['http{500}', 'transient'],
  ['drop', 'transient'],
  ['badkey', 'permanent'],
  ['http{400}', 'permanent'],
  ['http{429}', 'limit'],
] as const)('%s fails a turn: %s; the next one may go well', async (directive, failure) => {
  const running = converse()
  await say(running, 'hf-1', `DO:${directive}`)
  expect(await turn(running)).toEqual({
    kind: 'finished',
    ok: false,
    text: expect.stringMatching(/./),
    failure,
  })
  await say(running, 'hf-2', 'DO:text{well}')
  expect(await turn(running, 2)).toEqual({ kind: 'finished', ok: true, text: 'well' })
})

test('a usage limit is told with its end, when that is on another day', async () => {
  const running = converse()
  const before = Date.now()
  await say(running, 'hf-1', 'DO:usage{259200}')
  expect(await turn(running)).toMatchObject({ ok: false, failure: 'limit' })
  const { resets = '' } = of(running, 'limited')[0]!
  expect(resetTime(resets, before)).toBeGreaterThanOrEqual(before + 259_200_000)
})

test('an unknown session is a permanent failure, and no new session', async () => {
  const resume = '00000000-0000-4000-8000-000000000000'
  const running = converse({ resume })
  running.tell(codexDriver.lines!.prompt({ ref: 'hf-1', text: 'x', session: resume }))
  await turn(running, 2)
  const ends = of(running, 'finished')
  expect(ends).toMatchObject([{ failure: 'permanent' }, { failure: 'permanent' }])
  for (const { text } of ends) expect(codexDriver.lostSession!(text)).toBe(true)
  expect(of(running, 'session')).toEqual([])
  expect(lab.requests()).toEqual([])
})

test('settings that it cannot read are a permanent failure', async () => {
  appendFileSync(config(), '\nmodel = [')
  const running = converse()
  expect(await turn(running)).toMatchObject({ ok: false, failure: 'permanent' })
})

test('permission read never asks and writes nothing, also in a resumed session', async () => {
  const write = `DO:write{no.txt} ${unboxed('touch no2.txt')}`
  const first = converse({ permission: 'edit' })
  await say(first, 'hf-1', 'DO:text{begun}')
  await turn(first)
  first.hangUp()
  await first.ended
  const second = converse({ permission: 'read', resume: await sessionOf(first) })
  await say(second, 'hf-2', write)
  await turn(second)
  expect(of(second, 'asked')).toEqual([])
  expect(['no.txt', 'no2.txt'].filter((name) => existsSync(join(lab.project, name)))).toEqual([])
})

test('permission edit writes to the extra directories as well, and to those of the user', async () => {
  const [extra, own, other] = [outside(), outside(), outside()]
  appendFileSync(config(), `\n[sandbox_workspace_write]\nwritable_roots = ["${own}"]\n`)
  const running = converse({ permission: 'edit', extraDirs: [extra] })
  await say(running, 'hf-1', `DO:shell{touch in.txt ${extra}/yes ${own}/yes ${other}/no}`)
  await turn(running)
  const made = [join(lab.project, 'in.txt'), `${extra}/yes`, `${own}/yes`, `${other}/no`]
  expect(made.map((file) => existsSync(file))).toEqual([true, true, true, false])
})

test('permission full writes anywhere and never asks', async () => {
  const made = join(outside(), 'yes')
  const running = converse({ permission: 'full' })
  await say(running, 'hf-1', `DO:shell{touch ${made}}`)
  await turn(running)
  expect(existsSync(made)).toBe(true)
  expect(of(running, 'asked')).toEqual([])
})

test('what its helpers say is not of its session, but what they ask is', async () => {
  const running = converse()
  const helper = { message: unboxed('touch never'), agent_type: 'default' }
  await say(running, 'hf-1', `DO:tool{spawn_agent|${JSON.stringify(helper)}} DO:text{main}`)
  await asked(running)
  await turn(running)
  expect(of(running, 'finished')).toEqual([{ kind: 'finished', ok: true, text: 'main' }])
  const session = await sessionOf(running)
  running.hangUp()
  const { lines } = await running.ended
  const own = lines
    .filter((line) => codexDriver.isOf!(line, session))
    .flatMap((line) => codexDriver.readEvent(line))
  expect(own.filter(({ kind }) => kind === 'heard')).toHaveLength(1)
  expect(own.filter(({ kind }) => kind === 'asked')).toHaveLength(1)
  expect(own.filter(({ kind }) => kind === 'tool_began')).toHaveLength(1)
})

test("a hook of the user's that stops a tool is told", async () => {
  writeFileSync(join(lab.home, 'deny.sh'), 'cat >/dev/null\necho "not on my watch" >&2\nexit 2\n')
  appendFileSync(config(), trustedHook(config()))
  const running = converse()
  await say(running, 'hf-1', 'DO:shell{touch never}')
  await turn(running)
  expect(of(running, 'blocked')).toEqual([{ kind: 'blocked', tool: 'tool', why: 'not on my watch' }])
  expect(existsSync(join(lab.project, 'never'))).toBe(false)
})

/** As the user's trust is written: a hash of the hook, which Codex tells with `hooks/list`. */
const trustedHook = (file: string) => `
[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "sh ~/deny.sh"

[hooks.state."${file}:pre_tool_use:0:0"]
trusted_hash = "sha256:00bc20650fb21e7ce77c607926b6d23a5abc611ac5bf75d96abb2c979dfd5a31"
`
