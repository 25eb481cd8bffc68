// What a project may set is what its tasks get: for each such setting, where a task keeps it.
import { expect, test } from 'vitest'
import { agentIdOf, placeOf, runtimeIdFrom } from '../../../src/domain/runtime/names.ts'
import { SETTING_KEYS, settings } from '../../../src/domain/settings/config.ts'
import { mergeConfig } from '../../../src/domain/settings/merge-config.ts'
import { termsOf } from '../../../src/domain/settings/task-terms.ts'
import type { Task } from '../../../src/domain/task/task.ts'
import { createTask } from '../../../src/supervisor/starting/create-task.ts'
import { startCore } from '../../helpers/core-world.ts'

type World = Awaited<ReturnType<typeof startCore>>
type As = { readonly command?: 'run' | 'create'; readonly standing?: true; readonly agent?: string }
/** What the project's file says, how that is seen in a task, and what kind of task keeps it. */
type Kept = readonly [content: unknown, seen: (task: Task) => unknown, wanted: unknown, as?: As]

const recovery = (name: keyof NonNullable<Task['snapshot']['recovery']>) => (task: Task) =>
  task.snapshot.recovery?.[name]
const MINE = { argv: ['sh'] }

const kept: Readonly<Record<string, Kept>> = {
  agent: ['scripted', (task) => task.agent, 'scripted'],
  agents: [{ mine: MINE }, (task) => task.snapshot.customAgent?.argv, MINE.argv, { agent: 'mine' }],
  answers: [
    [{ match: '^Go on\\?', answer: 'yes' }],
    (task) => task.snapshot.answers,
    [expect.objectContaining({ answer: 'yes' })],
  ],
  'create.maxDuration': ['5m', (task) => task.maxDurationMs, 300_000, { command: 'create' }],
  'run.maxDuration': ['5m', (task) => task.maxDurationMs, 300_000],
  'kill.grace': ['3s', (task) => task.snapshot.killGraceMs, 3000],
  'pane.close': [false, (task) => task.snapshot.closePane, false],
  'prompt.maxBytes': [1000, (task) => task.snapshot.prompts?.longestPromptBytes, 1000],
  'env.pass': [['TEAM_*'], (task) => task.snapshot.envNames, expect.arrayContaining(['TEAM_NAME'])],
  'recovery.preset': ['patient', recovery('backoffCapMs'), 5 * 3_600_000],
  retries: [3, recovery('retries'), 3],
  'backoff.base': ['7s', recovery('backoffBaseMs'), 7000],
  'backoff.cap': ['7m', recovery('backoffCapMs'), 420_000],
  deadline: ['1h', recovery('deadlineMs'), 3_600_000],
  'crashLoop.deaths': [7, recovery('loopDeaths'), 7],
  'crashLoop.window': ['7m', recovery('loopWindowMs'), 420_000],
  'runtime.grace': ['7s', recovery('restartAfterMs'), 7000, { standing: true }],
  'runtime.maxRestarts': [7, recovery('retries'), 7, { standing: true }],
  'runtime.startTimeout': ['7s', recovery('startTimeoutMs'), 7000, { standing: true }],
  maxCost: [3, recovery('maxCostUsd'), 3],
  maxTokens: [3, recovery('maxTokens'), 3],
  'stuck.after': ['7m', recovery('stuckAfterMs'), 420_000],
  'stuck.quiet': ['7m', recovery('stuckQuietMs'), 420_000],
  'trigger.maxBytes': [1000, (task) => task.snapshot.prompts?.longestSentBytes, 1000],
  verify: [[{ file: 'a' }], (task) => task.snapshot.verify, expect.anything()],
}

test('every setting that is read at the creation of a task is kept by it', () => {
  const read = SETTING_KEYS.filter((key) => settings[key].readAt === 'create')
  expect(Object.keys(kept).sort()).toEqual([...read].sort())
})

test('one value serves all projects of what the daemon reads as it starts, and of nothing else', async () => {
  const own = SETTING_KEYS.filter((key) => settings[key].scope === 'daemon')
  expect(own).toEqual(SETTING_KEYS.filter((key) => settings[key].readAt === 'start'))
  const { core } = await startCore()
  expect(Object.keys(core.config).sort()).toEqual([...own].sort())
})

/** A task of a project whose file says this. */
async function created(
  content: object,
  { command = 'run', standing, agent = 'scripted' }: As,
  { core, request }: World,
): Promise<Task> {
  const { config } = mergeConfig([{ file: 'project.yaml', approval: 'approved', content }])
  const { place } = request('x')
  const role = `reviewer-${(await core.store.runtimes()).length}`
  const { session, window } = placeOf(role, place.workspace.slug)
  const runtime = {
    id: runtimeIdFrom(core.ids.run()),
    agentId: agentIdOf(role, place.workspace.slug),
    workspaceId: place.workspace.id,
    role,
    tmuxSession: session,
    tmuxWindow: window,
  }
  const asked = {
    ...request('x'),
    agent: 'agent' in content ? undefined : agent,
    maxDurationMs: undefined,
    callerEnv: { TEAM_NAME: 'a', PATH: process.env.PATH ?? '' },
    command,
    ...(standing && { standing: runtime, mode: 'interactive' as const }),
  }
  const driver: typeof core.driver = (kind, ...rest) => ({ ...core.driver(kind, ...rest), kind })
  return await createTask(asked, config, { ...core, driver })
}

test('what a project sets is what its tasks keep, setting by setting', async () => {
  const world = await startCore()
  for (const [key, [content, seen, wanted, as = {}]] of Object.entries(kept))
    expect(seen(await created({ [key]: content }, as, world)), key).toEqual(wanted)
})

test('none of these is what a task keeps without the project’s file', async () => {
  const world = await startCore()
  const kinds: readonly As[] = [{}, { command: 'create' }, { standing: true }]
  for (const as of kinds) {
    const task = await created({}, as, world)
    const here = Object.entries(kept).filter(
      ([key, row]) => key !== 'agent' && JSON.stringify(row[3] ?? {}) === JSON.stringify(as),
    )
    for (const [key, [, seen, wanted]] of here) expect(seen(task), key).not.toEqual(wanted)
  }
})

test('what an older version did not store with a task is taken from the user’s own settings', async () => {
  const { core } = await startCore({ 'stuck.after': 7000, 'trigger.maxBytes': 70 })
  expect(termsOf({ snapshot: { recovery: { retries: 3 } } }, core)).toMatchObject({
    retries: 3,
    stuckAfterMs: 7000,
    longestSentBytes: 70,
  })
})
