import { appendFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import type { BridgeNote } from '../../../src/domain/run/bridge-note.ts'
import type { Change } from '../../../src/ports/store/commits.ts'
import { checkBridges, noteBridge } from '../../../src/supervisor/watching/check-bridges.ts'
import { RUN_ID, TASK_ID } from '../../builders/ids.ts'
import { aRun } from '../../builders/run.ts'
import { aWatch } from '../../builders/watch.ts'
import { startCoreInTime } from '../../helpers/core-in-time.ts'
import { TestClock } from '../../helpers/test-clock.ts'

/** A run with this note on disk, at work since now. */
function watched(note: BridgeNote | null, run = aRun({ tools: 1 })) {
  const clock = new TestClock()
  const watch = aWatch({ run, sinceMono: clock.monotonic() })
  const told: string[] = []
  let kept = note
  let reads = 0
  const core = {
    clock,
    watched: new Map([[TASK_ID, watch]]),
    log: { info() {}, warn() {}, error() {} },
    runFiles: {
      bridge: () => {
        reads++
        return kept
      },
      noteBridge: (_: string, fresh: BridgeNote) => {
        kept = fresh
      },
    },
    commit: async ({ event }: Change) => {
      told.push(`${event?.kind} ${JSON.stringify(event?.data)}`)
      return { tasks: [], events: [] }
    },
  } as unknown as Parameters<typeof checkBridges>[0]
  return { core, clock, watch, told, kept: () => kept, reads: () => reads }
}

test('tools that say nothing for a minute, while their agent works, are absent; that is told once', async () => {
  const { core, clock, told, kept } = watched('unknown')
  await clock.pass(59_000)
  await checkBridges(core)
  expect([kept(), told]).toEqual(['unknown', []])
  await clock.pass(1000)
  await checkBridges(core)
  await checkBridges(core)
  expect([kept(), told]).toEqual(['absent', [`bridge_absent {"run_id":"${RUN_ID}"}`]])
})

test('nobody knows of tools whose agent has done nothing yet', async () => {
  const { core, clock, kept } = watched('unknown', aRun())
  await clock.pass(600_000)
  await checkBridges(core)
  expect(kept()).toBe('unknown')
})

test('tools that come late are up after all', async () => {
  const { core, clock, watch, told, kept } = watched('unknown')
  await clock.pass(60_000)
  await checkBridges(core)
  await noteBridge(watch, 'up', core)
  await noteBridge(watch, 'up', core)
  await clock.pass(60_000)
  await checkBridges(core)
  expect(kept()).toBe('up')
  expect(told).toHaveLength(2)
})

test('the next daemon knows what the one before noted', async () => {
  const { core, clock, told } = watched('up')
  await clock.pass(600_000)
  await checkBridges(core)
  expect(told).toEqual([])
})

test('nothing is told of a run that was given no tools, and its note is looked for once', async () => {
  const { core, clock, watch, told, reads } = watched(null)
  await checkBridges(core)
  await clock.pass(600_000)
  await checkBridges(core)
  await checkBridges(core)
  await noteBridge(watch, 'up', core)
  expect([told, reads()]).toEqual([[], 1])
})

test('an agent that says itself that the tools did not start works without them', async () => {
  const { core, clock, home, creates, agentStarts } = await startCoreInTime()
  const scripted = core.driver('scripted', {})
  const failed = { kind: 'note', text: 'MCP server holdfast: failed', missingServer: 'holdfast' }
  const driver = { ...scripted, can: { ...scripted.can, mcp: true }, readEvent: () => [failed] }
  Object.assign(core, { driver: () => driver })
  const id = await creates('do: hang')
  await agentStarts(id)
  const runId = core.watched.get(id)?.run.id ?? asRunId('none')
  expect(core.runFiles.bridge(runId)).toBe('unknown')
  appendFileSync(`${home.run(runId)}/events.jsonl`, 'a line\n')
  core.requestLook(id)
  await clock.passUntil('the note', () => core.runFiles.bridge(runId) === 'absent')
  const events = await core.store.events(0, 100, id)
  expect(events.map(({ kind }) => kind)).toContain('bridge_absent')
})
