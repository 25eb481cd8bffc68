// The drill with each real agent: whatever is killed, its work goes on, and it is told its prompt once.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { drillLines } from '../../src/cli/render/text/drill-text.ts'
import type { DrillJson } from '../../src/drill/report.ts'
import { startWorld } from '../helpers/world.ts'
import { AGENTS, type AgentKind } from './agent-home.ts'
import { useLab } from './lab.ts'

const lab = useLab()

/** Claude Code refuses full permissions to root, unless it is told that it is in a sandbox. */
function surroundings(kind: AgentKind): Record<string, string> {
  const env = { ...lab.environment(kind), IS_SANDBOX: '1', HOLDFAST_DRILL_MODEL: 'scripted' }
  const settings = join(lab.home, '.config/holdfast')
  mkdirSync(settings, { recursive: true })
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify({ 'env.pass': Object.keys(env) }))
  return env
}

test.each(AGENTS)('%s passes the drill', { timeout: 900_000 }, async (kind) => {
  const world = await startWorld({ env: surroundings(kind) })
  const { code, stdout, stderr } = await world.cli(['drill', '--agent', kind, '--json'])
  const report = JSON.parse(stdout) as DrillJson
  console.log(drillLines(report, (_, text) => text, 200).join('\n'))
  expect(report.blows.flatMap(({ name, lost }) => lost.map((words) => `${name}: ${words}`))).toEqual([])
  expect(report, stderr).toMatchObject({ ok: true, agent: kind, failed: 0, skipped: 0 })
  expect(code).toBe(0)
  const told = lab
    .requests()
    .filter(({ tools }) => tools.length > 0)
    .map(({ turns }) =>
      turns.filter(({ role, text }) => role === 'user' && text.includes('This is a drill.')),
    )
  expect(told.length).toBeGreaterThan(0)
  expect(told.every((prompts) => prompts.length === 1)).toBe(true)
})
