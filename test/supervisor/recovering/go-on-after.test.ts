import { expect, test } from 'vitest'
import { asRunId } from '../../../src/domain/names/ids.ts'
import { CONTINUATION, CONTINUATION_AFTER_LIMIT } from '../../../src/domain/task/go-on.ts'
import type { Input } from '../../../src/domain/task/input.ts'
import type { Run } from '../../../src/domain/task/run.ts'
import type { Abilities, AgentDriver } from '../../../src/ports/run/agent-driver.ts'
import { deathsWithoutProgress } from '../../../src/supervisor/ending/end-facts.ts'
import { beginAnew, goOnAfter } from '../../../src/supervisor/recovering/go-on-after.ts'
import { RUN_ID } from '../../builders/ids.ts'
import { anInput } from '../../builders/input.ts'
import { inPhase } from '../../builders/phases.ts'
import { aRun } from '../../builders/run.ts'
import { aTask, type TaskChanges } from '../../builders/task.ts'

const task = (changes: TaskChanges = {}, standing = inPhase.working()) =>
  aTask(standing, {
    sessionId: 'session-1',
    ...changes,
    snapshot: { prompt: 'Fix it.', permission: 'full', ...changes.snapshot },
  })
const run = (changes: Partial<Run> = {}) =>
  aRun({ state: 'exited', eventsOffset: 10, lastWords: 'I look.', endedAt: 100, ...changes })
const input = (changes: Partial<Input> = {}) => anInput({ runId: RUN_ID, saidAt: 1, heardAt: 2, ...changes })
const driver = (can: Partial<Abilities> = {}) =>
  ({
    can: {
      converse: true,
      asks: [],
      terminal: { hears: 'keys', tells: 'screen' },
      personaFlag: true,
      sessionId: 'chosen',
      resume: true,
      toolsTold: { headless: 'as_they_begin', terminal: 'untold' },
      ...can,
    },
  }) as AgentDriver

type Given = Partial<Parameters<typeof goOnAfter>[0]>
const after = (given: Given) =>
  goOnAfter({ task: task(), runs: [run()], inputs: [], driver: driver(), sessionIsLost: false, ...given })

const conversing = { task: task({ snapshot: { converse: true } }) }
const inTerminal = { task: task({ mode: 'interactive' }) }
const late: Partial<Abilities> = { toolsTold: { headless: 'a_moment_late', terminal: 'untold' } }
const fresh = { how: 'fresh', say: 'Fix it.' }

test.each<[string, Given, object]>([
  ['a known session is resumed with the fixed words', {}, { how: 'resume', say: CONTINUATION }],
  [
    'an agent that was stopped by a limit is told so',
    { runs: [run({ failure: 'limit' })] },
    { how: 'resume', say: CONTINUATION_AFTER_LIMIT },
  ],
  [
    'what it was resumed with, and of which it showed nothing, is said again',
    {
      runs: [run(), run({ how: 'resume', told: 'The answer is: red', lastWords: null })],
    },
    { how: 'resume', say: 'The answer is: red' },
  ],
  [
    'what it was resumed with, and has begun with, is not said again',
    {
      runs: [run(), run({ how: 'resume', told: 'The answer is: red', lastWords: null, tools: 1 })],
    },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'one that was resumed with the answer to its only words, and died at once, is resumed with it again',
    {
      runs: [run({ lastWords: null }), run({ how: 'resume', told: 'The answer is: red', lastWords: null })],
    },
    { how: 'resume', say: 'The answer is: red' },
  ],
  [
    'one that asked has begun, and has the words that it was resumed with',
    {
      runs: [run({ lastWords: null }), run({ how: 'resume', told: 'The answer is: red', lastWords: null })],
      wasAsking: true,
    },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'with one prompt at its start, a session without a word or deed may not have it: it begins afresh',
    { runs: [run({ lastWords: null })], driver: driver({ sessionId: 'told' }) },
    fresh,
  ],
  [
    'one that was told what was done, and died at once, is told it again',
    { runs: [run({ tools: 1 }), run({ how: 'with_context', lastWords: null })] },
    { how: 'with_context' },
  ],
  [
    'an agent that tells of tool calls only when they end may have begun one: it is resumed',
    {
      runs: [run({ lastWords: null })],
      driver: driver({ toolsTold: { headless: 'when_they_end', terminal: 'untold' } }),
    },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'an id that we chose is no session before the agent spoke',
    { ...conversing, runs: [run({ eventsOffset: 0, lastWords: null })], inputs: [input({ heardAt: null })] },
    { how: 'fresh', say: null },
  ],
  [
    'an id that we chose may be a session when what the agent said was lost',
    { runs: [run({ eventsOffset: 0, eventsLost: 1, lastWords: null })] },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'an id that the agent told is a session',
    { ...conversing, runs: [run({ eventsOffset: 0 })], driver: driver({ sessionId: 'told' }) },
    { how: 'resume' },
  ],
  ['without a session and without a tool call it begins afresh', { task: task({ sessionId: null }) }, fresh],
  [
    'without a session, after a tool call began, the next run is told what was done',
    { task: task({ sessionId: null }), runs: [run({ tools: 1 })] },
    { how: 'with_context' },
  ],
  [
    'without a session, a tool call of an earlier run counts as well',
    { task: task({ sessionId: null }), runs: [run({ tools: 1 }), run({ id: asRunId('r2') })] },
    { how: 'with_context' },
  ],
  [
    'a line that nobody understood may have been a tool call',
    { task: task({ sessionId: null }), runs: [run({ unknownLines: 1 })] },
    { how: 'with_context' },
  ],
  [
    'an agent that tells of tool calls only when they end cannot prove that none began',
    {
      task: task({ sessionId: null }),
      driver: driver({ toolsTold: { headless: 'when_they_end', terminal: 'untold' } }),
    },
    { how: 'with_context' },
  ],
  [
    'an agent that tells of tool calls a moment late cannot prove that none began',
    { task: task({ sessionId: null }), driver: driver(late) },
    { how: 'with_context' },
  ],
  [
    'an agent that tells a moment late, and said nothing yet, may not have noted its prompt',
    { runs: [run({ lastWords: null })], driver: driver(late) },
    { how: 'with_context' },
  ],
  [
    'an agent does nothing for a prompt that it never heard',
    {
      ...conversing,
      task: task({ sessionId: null, snapshot: { converse: true } }),
      runs: [run({ lastWords: null })],
      inputs: [input({ heardAt: null })],
      driver: driver({ toolsTold: { headless: 'when_they_end', terminal: 'untold' } }),
    },
    { how: 'fresh', say: null },
  ],
  [
    'a launch that never happened proves that no tool call began',
    {
      task: task({ sessionId: null }),
      runs: [run({ state: 'void' })],
      driver: driver({ toolsTold: { headless: 'untold', terminal: 'untold' } }),
    },
    fresh,
  ],
  ['a lost session is left behind', { sessionIsLost: true }, fresh],
  ['an agent that cannot resume begins anew', { driver: driver({ resume: false }) }, fresh],
  [
    'a conversation in a turn is told to go on',
    { ...conversing, inputs: [input()] },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'a conversation at rest is told nothing',
    { ...conversing, inputs: [input({ doneAt: 3 })] },
    { how: 'resume', say: null },
  ],
  [
    'a prompt that a conversation never heard is said again, and nothing else',
    { ...conversing, inputs: [input({ heardAt: null })] },
    { how: 'resume', say: null },
  ],
  [
    'when what an agent said may be lost, what was sent to it counts as heard',
    { ...conversing, inputs: [input({ heardAt: null })], runs: [run({ eventsLost: 1 })] },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'after a failed turn the agent is told to go on',
    { ...conversing, inputs: [input({ doneAt: 3 })], runs: [run({ result: { ok: false, text: '' } })] },
    { how: 'resume', say: CONTINUATION },
  ],
  [
    'what was heard in the session before says nothing of a new one, which died before a word',
    {
      ...inTerminal,
      runs: [
        run({ eventsOffset: 0 }),
        run({ id: asRunId('r2'), how: 'with_context', eventsOffset: 0, lastWords: null }),
      ],
      inputs: [input()],
    },
    { how: 'with_context' },
  ],
  [
    'a session that was resumed is gone on with, though its last run died before a word',
    {
      ...inTerminal,
      runs: [
        run({ eventsOffset: 0 }),
        run({ id: asRunId('r2'), how: 'resume', eventsOffset: 0, lastWords: null }),
      ],
      inputs: [input({ doneAt: 3 })],
    },
    { how: 'resume', say: null },
  ],
  [
    'in a terminal that tells nothing, what was typed counts as heard',
    { ...inTerminal, runs: [run({ eventsOffset: 0 })], inputs: [input({ heardAt: null })] },
    { how: 'resume', say: CONTINUATION },
  ],
])('%s', (_, given, expected) => {
  expect(after(given)).toMatchObject(expected)
})

test('a terminal that died before its prompt was typed is not told it twice', () => {
  const inputs = [input({ saidAt: null, heardAt: null, runId: null })]
  const died = { ...inTerminal, runs: [run({ eventsOffset: 0 })], inputs }
  expect(after(died)).toEqual({ how: 'fresh', say: null })
  expect(beginAnew({ ...died, driver: driver(), sessionIsLost: false }, 'asked')).toEqual({
    how: 'fresh',
    say: null,
  })
})

test('a person’s retry leaves the session behind', () => {
  const between = { task: task(), runs: [run()], inputs: [], driver: driver(), sessionIsLost: false }
  expect(beginAnew(between, 'asked')).toEqual(fresh)
  expect(beginAnew({ ...between, runs: [run({ tools: 2 })] }, 'asked')).toMatchObject({ how: 'with_context' })
})

test('deaths are counted back to the last progress, within the window; voids are none', () => {
  const last = run({ id: asRunId('last'), endedAt: null, state: 'live' })
  const count = (...earlier: Partial<Run>[]) => deathsWithoutProgress([...earlier.map(run), last], last, 50)
  expect(count()).toBe(1)
  expect(count({}, {})).toBe(3)
  expect(count({ endedAt: 49 }, {})).toBe(2)
  expect(count({}, { progress: 1 }, {})).toBe(2)
  expect(count({ state: 'void' })).toBe(1)
  expect(deathsWithoutProgress([run(), { ...last, progress: 1 }], { ...last, progress: 1 }, 0)).toBe(0)
})
