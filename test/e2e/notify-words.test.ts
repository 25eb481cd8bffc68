// What people read, told by a real daemon: each kind of notice, in its words; by rules, and in or out of quiet hours.
import { expect, test } from 'vitest'
import type { NoticeLogJson } from '../../src/protocol/json/notify-json.ts'
import { startReceiver } from '../channels/http-receiver.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld } from '../helpers/world.ts'

type Told = { kind: string; session_id: string; title: string; text: string }

test('ends, limits, trouble with the machine, silence and steps are told in their own words, by rules for tags, not in quiet hours', async () => {
  const receiver = await startReceiver()
  const hook = (path: string, more = '') =>
    `{type: webhook, url: "${receiver.url}/${path}", secret: {env: HOOK_SECRET}${more}}`
  const world = await startWorld({
    retries: 3,
    env: { HOOK_SECRET: 'a secret of the test' },
    config: `
reconcile.interval: 200ms
stuck.after: 1s
stuck.quiet: 1s
notify:
  group: 100ms
  quietHours: "00:00-23:59"
  channels:
    all: ${hook('all', ', quietHours: none')}
    steps: ${hook('steps', ', quietHours: none')}
    night: ${hook('night')}
  rules:
    - {channels: [all, night]}
    - {events: [progress], tags: [loud], channels: [steps]}
`,
  })
  const toldAt = (path: string, id: string): Told[] =>
    receiver.got
      .filter((got) => got.path === `/${path}`)
      .flatMap(({ body }) => JSON.parse(body).notices as Told[])
      .filter(({ session_id }) => session_id === id)
  const told = (path: string, id: string, title: RegExp) =>
    waitFor(`${title}`, () => toldAt(path, id).find((one) => title.test(one.title)))

  const done = await world.run(
    'do: usage 1000 20 0.42\ndo: say thinking\ndo: finish All 14 tests pass. I changed three files.',
    '--name',
    'fix-login',
  )
  const completed = await told('all', done, /./)
  expect(completed).toMatchObject({ kind: 'completion', title: 'fix-login completed: All 14 tests pass.' })
  expect(completed.text.split('\n')).toEqual([
    'All 14 tests pass. I changed three files.',
    expect.stringMatching(/^It took \d+s, cost \$0\.42\.$/),
    expect.stringMatching(/^About: /),
    expect.stringMatching(/^When: \w{3},? \d+ \w{3},? \d\d:\d\d \S+$/),
    `Session: ${done}`,
    `Output: holdfast logs ${done}`,
  ])

  const broken = await world.run('do: fail prod deploy broke', '--name', 'deploy', '--tag', 'loud')
  const failed = await told('all', broken, /./)
  expect(failed).toMatchObject({
    kind: 'failure',
    title: expect.stringMatching(/^deploy failed: .*prod deploy broke$/),
  })
  // The title has all of the reason: it is not told again.
  expect(failed.text).toMatch(/^It took /)
  expect(failed.text).toContain(`Why: holdfast why ${broken}\nTry again: holdfast retry ${broken}`)
  await told('steps', broken, /^deploy has started$/)
  expect(toldAt('steps', done)).toEqual([])

  const crashes = await world.run(
    'do: append f.txt x\ndo: crash-lives 1 KILL\ndo: finish ok',
    '--name',
    'crashes',
    '--tag',
    'loud',
  )
  await told('steps', crashes, /^crashes broke off, and (goes on by itself|is tried again): .*SIGKILL/)
  await told('steps', crashes, /^crashes goes on: run 2/)
  await told('all', crashes, /^crashes completed: ok$/)

  const limited = await world.run('do: limit 600', '--name', 'limited')
  const waits = await told('all', limited, /./)
  expect(waits).toMatchObject({
    kind: 'limit',
    title: expect.stringMatching(/^limited waits for the end of a usage limit: /),
  })
  expect(waits.text).toMatch(/^It goes on by itself: \w{3}/m)
  expect(waits.text).toContain(`Go on now: holdfast unpark ${limited}`)
  await world.ok(['kill', limited, '--force'])
  await world.ok(['unpark', '--all'])

  const silent = await world.run('do: hang', '--name', 'silent')
  const stuck = await told('all', silent, /is stuck/)
  expect(stuck).toMatchObject({
    kind: 'stuck',
    title: expect.stringMatching(/^silent is stuck: no sign of life for \d+s\. It is interrupted/),
  })
  await world.ok(['kill', silent, '--force'])

  const trouble = await world.run('do: fail-as environment not logged in', '--name', 'trouble')
  const environment = await told('all', trouble, /./)
  expect(environment).toMatchObject({
    kind: 'escalation',
    title: expect.stringMatching(/^trouble waits because the machine or the network fails: .*not logged in$/),
  })

  const { notices } = await world.json<NoticeLogJson>(['notify', 'log', '--channel', 'night'])
  expect(notices.length).toBeGreaterThanOrEqual(5)
  for (const { state, why } of notices) expect([state, why]).toEqual(['held', 'quiet hours until 23:59'])
  expect(receiver.got.filter(({ path }) => path === '/night')).toEqual([])
  expect(await world.ok(['metrics'])).toMatch(/^holdfast_notices_waiting\{channel="night"\} [5-9]$/m)
}, 60_000)
