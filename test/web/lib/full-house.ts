// A house with something on every screen: a question, work that was killed and goes on, a limit, a failure, a runtime,
// triggers, a thread. It needs retries.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentPid, anotherAgent } from '../../helpers/faults.ts'
import { waitFor } from '../../helpers/wait-for.ts'
import type { World } from '../../helpers/world.ts'

const untilPhase = (world: World, id: string, phase: string) =>
  waitFor(`${id} to be ${phase}`, async () => (await world.status(id)).phase === phase, 30_000)

export async function fillHouse(world: World) {
  const asks = await world.run(
    [
      'do: say The sessions table is ready, the migration is written.',
      'do: ask May I run psql "$DATABASE_URL" -f migrations/0042_sessions.sql? | Yes | Yes, and do not ask again for psql | No',
      'do: finish Moved',
    ].join('\n'),
    ...['--title', 'Move the session store to Postgres', '--converse'],
  )
  const works = await world.run(
    [
      'do: say I look at the flaky test first.',
      'do: usage 48000 3100 0.42',
      'do: tool 0 npm test -- login',
      'do: write notes/plan.md Wait for the cookie, then log in',
      'do: say Two of 31 tests fail now and then: both log in before the cookie is there.',
      'do: hang',
    ].join('\n'),
    ...['--title', 'Fix the flaky login test', '--tag', 'tests'],
  )
  const terminal = await world.run(
    'do: say I wait for the review.\ndo: hang',
    '--mode',
    'interactive',
    '--title',
    'Review of pull request 311',
  )
  const done = await world.run(
    'do: usage 12000 900 0.64\ndo: write cache.md sizes\ndo: result {"status":"success","files":7}\ndo: finish All images are cached',
    ...['--title', 'Cache the avatar images', '--verify', 'file:cache.md'],
  )
  const fails = await world.run(
    'do: tool 0 npm run parse\ndo: fail-as permanent the parser refuses its own grammar',
    '--title',
    'Port the parser tests',
  )
  await untilPhase(world, asks, 'asking')
  await untilPhase(world, works, 'working')
  const killed = await agentPid(world, works)
  await waitFor('its last words', async () => (await world.ok(['logs', works])).includes('Two of 31'))
  process.kill(killed, 'SIGKILL')
  await anotherAgent(world, works, killed)
  await untilPhase(world, terminal, 'working')
  await world.untilStatus(done, 'COMPLETED')
  // Only a person can decide what becomes of it.
  await world.untilStatus(fails, 'waiting_input')
  const parked = await world.run('do: limit 5400', '--title', 'Refactor billing')
  await untilPhase(world, parked, 'parked')
  const behind = await world.run('do: say later', '--title', 'Docs for the SDK')
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
  await world.ok(['send', runtime!.agent_id, 'do: say The release notes are begun.'])
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
