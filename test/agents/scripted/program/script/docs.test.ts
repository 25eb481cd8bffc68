import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseStep, scriptOf } from '../../../../../src/agents/scripted/program/script/parse-script.ts'
import { stepTable } from '../../../../../src/agents/scripted/program/script/step-table.ts'

const page = readFileSync(new URL('../../../../../docs/scripted-agent.md', import.meta.url), 'utf8')

test('the page shows every step of the table, in its order and words, and no other', () => {
  const shown = page.split('\n').filter((line) => line.startsWith('| `'))
  const expected = Object.entries(stepTable).map(([name, { takes, meaning }]) => {
    const usage = `${name} ${takes}`.trim().replaceAll('|', '\\|')
    return `| \`${usage}\` | ${meaning} |`
  })
  expect(shown).toEqual(expected)
})

test('every step in the examples can be read', () => {
  const steps = scriptOf(page, () => undefined)
  expect(steps.length).toBeGreaterThan(0)
  for (const step of steps) expect(parseStep(step).do).not.toBe('unreadable')
})
