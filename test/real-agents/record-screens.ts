// `npm run record:screens`: leads each agent to its screens, and judges and keeps what it shows there.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { realDrivers } from '../../src/agents/all.ts'
import { scriptedDriver } from '../../src/agents/scripted/driver.ts'
import type { AgentDriver } from '../../src/ports/run/agent-driver.ts'
import type { Screen } from './anybodys-screen.ts'
import { reachScreen } from './reach-screen.ts'
import { casts } from './scenarios/all.ts'
import { readFixture, withoutMotion, writeFixture } from './screen-fixture.ts'

declare module 'vitest' {
  interface TaskMeta {
    verdict?: string
  }
}

const fixtures = fileURLToPath(new URL('../fixtures/screens/', import.meta.url))
const isDry = process.env.HOLDFAST_RECORD_DRY === '1'
const drivers = [...realDrivers, scriptedDriver({ executable: [] })]

// Ctrl-C reaches this process too. It has to live on to end the agent: scripts/record-screens.mjs cancels the run.
process.on('SIGINT', () => {})

for (const cast of casts)
  for (const scenario of cast.scenarios)
    test(`${cast.kind} ${scenario.name}`, async ({ task, signal }) => {
      const screen = await reachScreen(cast, scenario, signal)
      const driver = drivers.find(({ kind }) => kind === cast.kind)!
      task.meta.verdict = judge(driver, scenario.name, screen)
    })

function judge(driver: AgentDriver, name: string, screen: Screen): string {
  const folder = join(fixtures, driver.kind)
  const misread = misreading(driver, name, screen)
  if (misread !== undefined) {
    const kept = writeFixture(mkdtempSync(join(tmpdir(), 'hf-screen-')), name, screen)
    throw new Error(`WRONG: read as ${misread}. The screen is in ${kept}.`)
  }
  const before = readFixture(folder, name)
  if (before && withoutMotion(before) === withoutMotion(screen)) return 'same reading'
  if (!isDry) writeFixture(folder, name, screen)
  return before ? ['changed text', ...changes(driver, before, screen)].join(', ') : 'new'
}

/** Undefined when it is read as its name says, and from its text alone not as something else. */
function misreading(
  { readScreen }: AgentDriver,
  name: string,
  { text, ...rest }: Screen,
): string | undefined {
  const wanted = name.split('--')[0]
  const whole = readScreen({ text, ...rest })
  if (whole.phase !== wanted) return `${whole.phase} (${whole.evidence})`
  const bare = readScreen({ text })
  if (![wanted, 'unknown'].includes(bare.phase)) return `${bare.phase} from its text alone (${bare.evidence})`
  return undefined
}

/** What a test of the reader may have to follow. */
function changes({ readScreen }: AgentDriver, before: Screen, now: Screen): string[] {
  const [was, is] = [readScreen(before), readScreen(now)]
  return (['draft', 'question', 'limit'] as const)
    .filter((part) => JSON.stringify(was[part]) !== JSON.stringify(is[part]))
    .map((part) => `${part} was ${JSON.stringify(was[part])} and is ${JSON.stringify(is[part])}`)
}
