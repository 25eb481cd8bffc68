// A house with something on every screen: a question, work that was killed and goes on, a limit, a failure, a runtime,
// triggers, a thread. It needs retries, and tasks that may start tasks.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentPid, anotherAgent } from '../../helpers/faults.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import { CLI, type World } from '../../helpers/world.ts'

export const HOUSE = 'maxConcurrent: 8\nbackoff.base: 400ms\nrecursion.depth: 1\n'

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase, 30_000)

/** A prompt as a person writes it, and what the agent does with it, in a file. */
function told(world: World, name: string, words: string, steps: readonly string[]): string {
  mkdirSync(join(world.project, 'steps'), { recursive: true })
  writeFileSync(join(world.project, 'steps', name), steps.join('\n'))
  return `${words}\n\ndo: script steps/${name}`
}

/** `pace`: by which the seconds are multiplied that its tools take; 0 fills the house at once. */
export async function fillHouse(world: World, { pace = 0 }: { readonly pace?: number } = {}) {
  const tool = (seconds: number, name: string) => `tool ${seconds * pace} ${name}`
  const works = await world.run(
    told(
      world,
      'login',
      'Two of the login tests fail now and then, mostly on slow machines.\nFind out why and fix the cause. Do not change the API, and do not just retry.',
      [
        'say I look at the flaky tests first.',
        tool(2, 'npm ci'),
        'usage 21000 900 0.17',
        tool(4, 'npm test -- login'),
        'say Two of 31 tests fail now and then: both log in before the cookie is there.',
        'write notes/plan.md Wait for the cookie, then log in',
        'usage 27000 2200 0.25',
        // Here its agent is killed.
        tool(3, 'grep -rn waitForCookie src test'),
        tool(4, 'npm test -- login --repeat 20'),
        'say With the wait, 20 rounds are green. Now all tests, to be sure.',
        'tool 240 npm test',
        'hang',
      ],
    ),
    ...['--title', 'Fix the flaky login test', '--tag', 'tests'],
  )
  const asks = await world.run(
    told(
      world,
      'sessions',
      'Sessions are kept in files today. Move them to Postgres, with a migration.\nAsk me before you run anything against the database.',
      [
        'say The sessions table is ready, the migration is written.',
        'ask May I run this command?  psql "$DATABASE_URL" -f migrations/0042_sessions.sql | Yes | Yes, and do not ask again for psql | No',
        'finish Moved',
      ],
    ),
    ...['--title', 'Move the session store to Postgres', '--converse'],
  )
  const terminal = await world.run(
    told(
      world,
      'review',
      'Read pull request 311, above all how it handles sessions.\nTell me what to ask its author.',
      ['say I have read the diff: 4 files, 212 lines. I wait for the checks.', 'hang'],
    ),
    ...['--mode', 'interactive', '--title', 'Review of pull request 311'],
  )
  const child = (title: string) =>
    `'${process.execPath}' '${CLI}' --home '${world.home}' run --title '${title}' 'do: usage 3000 200 0.04\ndo: finish ok'`
  writeFileSync(
    join(world.project, 'steps/children.sh'),
    `${child('Measure the cache')}\n${child('Cache the team logos')}\n`,
  )
  const done = await world.run(
    told(
      world,
      'avatars',
      'Avatars are drawn anew for every request. Cache them on disk, at most 50 MB.\nLet others do the logos and the measuring.',
      [
        'usage 12000 900 0.64',
        'run sh steps/children.sh',
        'write cache.md Avatars: 7 sizes, 41 MB',
        'result {"status":"success","files":7,"cached_mb":41,"hit_rate":0.97,"next":"Logos of partners are not cached yet."}',
        'finish All images are cached',
      ],
    ),
    ...['--title', 'Cache the avatar images'],
    ...['--verify', 'file:cache.md', '--verify', 'cmd:test -s cache.md'],
  )
  const fails = await world.run(
    told(
      world,
      'parser',
      'Port the tests of the old parser to the new one.\nThey must fail where the old ones failed.',
      [tool(1, 'npm run parse'), 'fail-as permanent the parser refuses its own grammar'],
    ),
    ...['--title', 'Port the parser tests'],
  )
  await untilPhase(world, works, 'working')
  const killed = await agentPid(world, works)
  await waitFor(
    'its plan',
    async () => (await world.ok(['logs', works])).includes('grep -rn waitForCookie'),
    60_000,
  )
  process.kill(killed, 'SIGKILL')
  await anotherAgent(world, works, killed)
  await untilPhase(world, asks, 'asking')
  await untilPhase(world, terminal, 'working')
  await world.untilStatus(done, 'COMPLETED')
  // Only a person can decide what becomes of it.
  await world.untilStatus(fails, 'waiting_input')
  const { rows } = await world.daemon.call('GET /api/tasks/rows', { query: { parent: done } })
  for (const { session_id } of rows) await world.untilStatus(session_id, 'COMPLETED')
  const parked = await world.run(
    told(world, 'billing', 'Split the billing module.', ['limit 5400']),
    ...['--title', 'Refactor billing'],
  )
  await untilPhase(world, parked, 'parked')
  const behind = await world.run('Write the docs for the SDK.', '--title', 'Docs for the SDK')
  mkdirSync(join(world.project, 'agents/reviewer'), { recursive: true })
  writeFileSync(
    join(world.project, 'agents/reviewer/reviewer-agent.md'),
    '---\nname: reviewer\ndescription: Reads every change before it is merged.\n---\nYou review changes.\n',
  )
  return { asks, works, terminal, done, fails, parked, behind }
}

/** Before the house is filled: its limit would keep the runtime back, too. */
export async function fillRuntimes(world: World) {
  await world.ok(['runtime', 'start', 'writer', '--agent', 'scripted'])
  const { runtimes } = await world.daemon.call('GET /api/runtimes', { query: {} })
  const [runtime] = runtimes
  const begin = told(world, 'notes', 'Begin the release notes of 2.4.', ['say The release notes are begun.'])
  await world.ok(['send', runtime!.agent_id, begin])
  const thread = await world.daemon.call('POST /api/threads', { body: { title: 'Release 2.4' } })
  for (const body of [
    { text: 'What is left before the release?' },
    {
      text: 'The migration of the sessions table is not run yet.',
      kind: 'finding' as const,
      refs: ['migrations/0042_sessions.sql'],
    },
    { text: 'Notes are written up to 2.3.9.', kind: 'status' as const },
  ])
    await world.daemon.call('POST /api/threads/:id/messages', { id: thread.thread_id, body })
  return { runtime: runtime!, thread: thread.thread_id }
}
