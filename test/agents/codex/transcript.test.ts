// What Codex's own session file tells, recorded from a real one: five prompts in its interface, the second stopped by
// Esc, the fifth failed by its model.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codexDriver } from '../../../src/agents/codex/driver.ts'
import { renderSays } from '../../../src/supervisor/reading/render-says.ts'
import { toldInFull } from '../../../src/supervisor/task/told-in-full.ts'

const transcript = codexDriver.transcript!
const lines = readFileSync(join(import.meta.dirname, '../../fixtures/transcripts/codex.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
const kept = lines.flatMap((line) => transcript.keep(line) ?? [])
const says = kept.flatMap(({ event }) =>
  codexDriver.readEvent(JSON.stringify({ ...event, from: 'f', to: 1 })),
)

test('its prompts, words, tools and ends are told, each once', () => {
  expect(toldInFull(says, { steps: [], words: null }).map(renderSays).join('')).toBe(
    [
      'prompt: DO:shell{echo hi} DO:text{all done} first',
      'tool: shell echo hi',
      'tool done: shell hi',
      'agent: all done',
      'result: all done',
      'prompt: DO:shell{sleep 30} second',
      'tool: shell sleep 30',
      'tool failed: shell Wall time: 2.5 seconds',
      '             aborted by user',
      'note: the turn was stopped',
      'prompt: DO:text{quick} third',
      'agent: quick',
      'result: quick',
      'prompt: DO:write{a.txt} fourth',
      "tool: shell printf 'written by the lab\\n' > 'a.txt'",
      'tool done: shell',
      'agent: The work is done.',
      'result: The work is done.',
      'prompt: DO:http{500} fifth',
      'result, failed: We’re currently experiencing high demand, which may cause temporary errors.',
      '',
    ].join('\n'),
  )
  expect(says.at(-1)).toMatchObject({ kind: 'finished', ok: false, failure: 'transient' })
})

test('each line has its time', () => {
  expect(new Date(kept[0]!.atMs).toISOString()).toBe('2026-11-17T03:17:51.899Z')
})

test('it is found by the day in its session id, also where that day is another one', () => {
  const session = '01a1e782-ce1f-7ff3-b8ee-4f30fdcbbc25'
  const name = `rollout-2026-11-17T03-17-51-${session}.jsonl`
  const at = (day: string) => (dir: string) => (dir.endsWith(`/sessions/${day}`) ? ['x', name] : [])
  for (const day of ['2026/11/16', '2026/11/17', '2026/11/18'])
    expect(transcript.find(session, { HOME: '/h' }, at(day))).toBe(`/h/.codex/sessions/${day}/${name}`)
  expect(transcript.find(session, { HOME: '/h', CODEX_HOME: '/c' }, at('2026/11/17'))).toBe(
    `/c/sessions/2026/11/17/${name}`,
  )
  expect(transcript.find(session, {}, () => [])).toBeUndefined()
})

test('a line of any shape is kept or not, and read, without an exception', () => {
  const payload = fc.oneof(fc.jsonValue(), fc.object())
  fc.assert(
    fc.property(
      fc.constantFrom('event_msg', 'response_item', 'x'),
      fc.string(),
      payload,
      (type, kind, value) => {
        const fields = typeof value === 'object' && value !== null ? { type: kind, ...value } : value
        const line = JSON.stringify({ type, timestamp: '2026-11-17T03:17:51Z', payload: fields })
        const event = transcript.keep(line)?.event
        if (event !== undefined) codexDriver.readEvent(JSON.stringify(event))
        codexDriver.readEvent(JSON.stringify({ type: 'rollout', told: value }))
      },
    ),
  )
})
