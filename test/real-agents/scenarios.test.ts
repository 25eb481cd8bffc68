import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { anybodysScreen, ROOT } from './anybodys-screen.ts'
import { casts } from './scenarios/all.ts'
import { readFixture, withoutMotion } from './screen-fixture.ts'

const folder = fileURLToPath(new URL('../fixtures/screens/', import.meta.url))
const all = casts.flatMap(({ kind, scenarios }) => scenarios.map((scenario) => ({ kind, ...scenario })))
const cursor = { x: 2, y: 21 }

test.each(all)('$kind $name has been recorded', ({ kind, name }) => {
  expect(readFixture(`${folder}${kind}`, name)).toBeDefined()
})

test.each(casts)(
  '$kind has a name for every scenario, and ends each with something to see',
  ({ scenarios }) => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
    for (const { steps } of scenarios) expect(steps.at(-1)).toHaveProperty('see')
  },
)

test('a screen is the same when nothing but a spinner, a counter, a clock or a tip has changed', () => {
  const at = (text: string, title: string) => withoutMotion({ text, title, cursor })
  const before = at('✻ Baking… (3s · ↓ 23 tokens)\n  ⎿  Tip: Use /memory\n❯ go on', '◐ Claude Code')
  expect(at('· Proofing… (12s · ↓ 140 tokens)\n\n❯ go on', '◑ Claude Code')).toBe(before)
  expect(at('· Proofing… (12s · ↓ 140 tokens)\n\n❯ go', '◑ Claude Code')).not.toBe(before)
})

test('nothing on a recorded screen tells where and when it was recorded, and nothing moves', () => {
  const text = 'in /tmp/h1a2b/project at 127.0.0.1:40123, resets 9:15 AM; 23:59:59\n'
  const screen = anybodysScreen({ text, title: '/tmp/h1a2b', cursor }, '/tmp/h1a2b')
  expect(screen).toEqual({
    text: `in ${ROOT}/project at 127.0.0.1:44139, resets 7:43 PM; 23:28:46\n`,
    title: ROOT,
    cursor,
  })
  expect(screen.text).toHaveLength(text.length)
})
