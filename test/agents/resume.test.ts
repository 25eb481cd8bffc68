import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { driversWith } from '../../src/agents/all.ts'
import { customDriver } from '../../src/agents/custom/driver.ts'
import { scriptedDriver } from '../../src/agents/scripted/driver.ts'
import { readCustomAgents } from '../../src/domain/settings/custom-agents.ts'
import type { AgentDriver, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { aRequest } from './a-request.ts'

const drivers = [...driversWith({ opencodeBridge: ['bridge'] }), scriptedDriver({ executable: ['scripted'] })]
const sessions: Readonly<Record<string, string>> = { opencode: 'ses_e1f691f23ffejITIKNVsrVrPZ3' }
const sessionOf = ({ kind }: AgentDriver) => sessions[kind] ?? '5921e97b-71f9-4003-b69e-1322ae355924'
const PROMPT = 'You were interrupted: go on.'

const ways: readonly [name: string, Partial<LaunchRequest>][] = [
  ['once', {}],
  ['spoken to', { converse: true }],
  ['in a terminal', { mode: 'interactive' }],
]
const cases = drivers.flatMap((driver) =>
  ways.map(([name, way]) => ({ driver, kind: driver.kind, name, way })),
)

const SESSION_FLAGS = ['--session-id', '--session', '--resume', 'resume']

describe('a resumed session', () => {
  test.each(cases)('$kind, $name, goes on under its id and is told the new prompt', ({ driver, way }) => {
    const resume = sessionOf(driver)
    const plan = driver.launch(aRequest({ ...way, resume, prompt: PROMPT }))
    expect(plan.sessionId).toBe(resume)
    const once = way.mode === undefined && way.converse === undefined
    expect(plan.stdin.includes(PROMPT)).toBe(once)
    const told = [...plan.argv, once ? '' : plan.stdin].join('\n')
    expect(told).toContain(resume)
    expect(told).not.toContain(PROMPT)
    expect(told).not.toContain(aRequest().sessionId)
  })

  test.each(cases)('$kind, $name, has the same permissions, model and persona', ({ driver, way }) => {
    const permission = driver.can.permissions.includes('read') ? 'read' : 'default'
    const options = { ...way, permission, model: 'a/model', persona: 'Be strict.' } as const
    const resume = sessionOf(driver)
    const fresh = driver.launch(aRequest(options))
    const resumed = driver.launch(aRequest({ ...options, resume }))
    const ids = [resume, aRequest().sessionId]
    const flags = ({ argv }: typeof fresh) =>
      argv.filter((arg) => !SESSION_FLAGS.includes(arg) && !ids.some((id) => arg.includes(id)))
    expect(flags(resumed)).toEqual(flags(fresh))
    expect([resumed.env, resumed.files]).toEqual([fresh.env, fresh.files])
  })
})

const unknown = '00000000-0000-4000-8000-000000000000'
const recorded = readFileSync(
  new URL('../fixtures/events/claude/unknown-session.jsonl', import.meta.url),
  'utf8',
)
const driverOf = (kind: string) => drivers.find((driver) => driver.kind === kind)!

describe('a session that is lost', () => {
  test.each([
    ['claude', `No conversation found with session ID: ${unknown}\n`],
    [
      'codex',
      `Error: thread/resume: thread/resume failed: no rollout found for thread id ${unknown} (code -32600)\n`,
    ],
    ['codex', `thread not found: ${unknown}`],
    ['opencode', '\x1b[91m\x1b[1mError: \x1b[0mSession not found\n'],
    ['opencode', 'Session not found: ses_000000000000AAAAAAAAAAAAAA\n'],
    ['pi', `No session found matching '${unknown}'\n`],
    ['scripted', `No session found with id ${unknown}\n`],
  ])('%s says %j', (kind, text) => {
    const { lostSession } = driverOf(kind)
    expect(lostSession!(text)).toBe(true)
    expect(lostSession!(`some log before it\n${text}`)).toBe(true)
  })

  test('Claude Code says it in its result too', () => {
    const claude = driverOf('claude')
    const [finished] = recorded.trim().split('\n').flatMap(claude.readEvent).slice(-1)
    expect(finished).toMatchObject({ kind: 'finished', ok: false })
    expect(claude.lostSession!(finished?.kind === 'finished' ? finished.text : '')).toBe(true)
  })

  test.each(['', 'Segmentation fault', 'rate limit', 'file not found', 'Model not found: a/b'])(
    '%j says nothing of it',
    (text) => {
      for (const { lostSession } of drivers) expect(lostSession!(text)).toBe(false)
    },
  )
})

test('only who tells tools as they begin can prove that none began', () => {
  const told = Object.fromEntries(drivers.map(({ kind, can }) => [kind, can.toolsTold]))
  const always = { headless: 'as_they_begin', terminal: 'as_they_begin' }
  expect(told).toEqual({
    claude: always,
    codex: { headless: 'a_moment_late', terminal: 'untold' },
    opencode: { headless: 'when_they_end', terminal: 'a_moment_late' },
    pi: always,
    scripted: { headless: 'as_they_begin', terminal: 'untold' },
  })
  const own = customDriver('mine', readCustomAgents({ mine: { argv: ['agent'] } }).mine!)
  expect(own.can.toolsTold).toEqual({ headless: 'untold', terminal: 'untold' })
  for (const { can } of drivers)
    if (can.terminal?.tells === 'screen') expect(can.toolsTold.terminal).toBe('untold')
})
