import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { opencodeDriver } from '../../src/agents/opencode/driver.ts'
import type { AgentSays, Answer, LaunchRequest } from '../../src/ports/run/agent-driver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { useLab } from './lab.ts'
import { opencodeBridge } from './opencode-bridge.ts'
import { startTui, type Tui } from './tui.ts'

const opencode = opencodeDriver({ bridge: opencodeBridge })
const lab = useLab()
const lines = opencode.lines!
const inProject = (name: string) => join(lab.project, name)
const start = (more: Partial<LaunchRequest> = {}) => startTui(lab, opencode, more)
const tell = (tui: Tui, line: string | null) => appendFileSync(tui.request.inputFile, line ?? '')
const say = (tui: Tui, ref: string, text: string) => tell(tui, lines.prompt({ ref, text, session: null }))
const count = (tui: Tui, kind: AgentSays['kind']) => tui.says().filter((said) => said.kind === kind).length
const finished = (tui: Tui, turns: number) =>
  waitFor(`the end of turn ${turns}`, () => count(tui, 'finished') >= turns, PATIENCE_MS)

async function answer(tui: Tui, given: Answer) {
  const said = await tui.untilSaid('its question', ({ kind }) => kind === 'asked')
  if (said.kind !== 'asked') throw new Error('no question')
  tell(tui, lines.answer({ ...said, ref: said.ref ?? '' }, given))
}

/** It starts two programs, of which each takes its time. */
const PATIENCE_MS = 120_000
const COUNTED = "DO:shell{node -e \"fs.appendFileSync('ran', 'x')\"} DO:text{went on}"
const ran = () => (existsSync(inProject('ran')) ? readFileSync(inProject('ran'), 'utf8') : '')

test('prompts by line and by hand are heard, a permission is answered once, and Ctrl-C ends the session', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const tui = await start({ permission: 'edit', model: 'lab/other-model' })
  // Before there is a screen: nothing is lost.
  say(tui, 'hf-1', 'DO:write{made.txt} DO:text{made it}')
  await finished(tui, 1)
  await waitFor(
    'its words on the screen',
    async () => (await tui.view()).text.includes('made it'),
    PATIENCE_MS,
  )
  expect(existsSync(inProject('made.txt'))).toBe(true)
  expect(lab.requests().at(-1)?.model).toBe('other-model')

  say(tui, 'hf-2', COUNTED)
  const { question } = await tui.phase('asking')
  expect(question?.options).toEqual(['Allow once', 'Allow always', 'Reject'])
  expect(ran()).toBe('')
  await answer(tui, { option: 0, text: '' })
  await finished(tui, 2)
  expect(ran()).toBe('x')

  await tui.prompt('DO:text{typed by a person}')
  await finished(tui, 3)
  expect(tui.says().filter(({ kind }) => kind === 'heard')).toEqual([
    { kind: 'heard', ref: 'hf-1', text: null },
    { kind: 'heard', ref: 'hf-2', text: null },
    { kind: 'heard', ref: null, text: 'DO:text{typed by a person}' },
  ])
  expect(count(tui, 'asked')).toBe(1)
  expect(lab.requests().at(-1)?.model).toBe('other-model')
  expect(lab.requests().at(-1)?.tools).not.toContain('task')
  await tui.until('an idle screen', ({ phase, draft }) => phase === 'idle' && draft === null)
  await tui.press('C-c')
  await tui.ended()
  expect(lab.strays()).toEqual([])
})

test('resumed by its id, it knows what was said; a limit is seen with its time; a person may reject', {
  timeout: 4 * PATIENCE_MS,
}, async () => {
  const config = join(lab.home, '.config/opencode/opencode.json')
  const own = JSON.parse(readFileSync(config, 'utf8'))
  writeFileSync(config, JSON.stringify({ ...own, permission: { bash: 'ask' } }))
  const first = await lab.runPlan(opencode, lab.request({ prompt: 'The word is PINEAPPLE. DO:text{one}' }))
  const session = first.says.find(({ kind }) => kind === 'session')
  const tui = await start({ resume: session?.kind === 'session' ? session.id : '', persona: 'PERSONA-MARK' })
  say(tui, 'hf-1', COUNTED)
  await tui.phase('asking')
  expect(tui.says()[0]).toEqual(session)
  await tui.press('Escape')
  await finished(tui, 1)
  expect(tui.says().at(-1)).toMatchObject({ kind: 'finished', ok: false })
  expect(ran()).toBe('')
  const { system, turns } = lab.requests().at(-1)!
  expect(turns.map(({ text }) => text).join('\n')).toContain('PINEAPPLE')
  expect(system).toContain('PERSONA-MARK')
  say(tui, 'hf-2', 'DO:usage{7200}')
  const { limit } = await tui.until('the limit with its end', ({ limit }) => limit?.until != null)
  expect(limit).toEqual({ message: 'The usage limit has been reached', until: expect.stringMatching(/^in /) })
})
