// Two homes with one PostgreSQL store: what is posted at one of them wakes its readers, whichever daemon came last.
import { expect, test } from 'vitest'
import type { JournalJson } from '../../src/protocol/json/journal-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerJson } from '../../src/protocol/json/trigger-json.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { startWorld, type World } from '../helpers/world.ts'

const postgres = usePostgres()

test('messages of the first daemon wake agents of both, and its own also when the second one is dead', async () => {
  const config = `store.url: ${JSON.stringify(await postgres.freshUrl())}\n`
  const [one, two] = [await startWorld({ config }), await startWorld({ config })]
  const stand = async (world: World, slug: string) => {
    await world.ok(['workspace', 'add', world.project, '--slug', slug])
    await world.ok(['runtime', 'start', 'reviewer', '--workspace', slug, '--agent', 'scripted'])
  }
  await stand(one, 'first')
  await stand(two, 'second')
  const members = ['reviewer@first', 'reviewer@second'].flatMap((name) => ['--member', name])
  const { thread_id: id } = await one.json<ThreadJson>(['thread', 'create', 'the login', ...members])
  const told = async (words: string, times: number) => {
    await one.ok(['thread', 'post', id, words])
    await waitFor(`${times} wake-ups to be done`, async () => {
      const { triggers } = await one.json<{ triggers: TriggerJson[] }>(['trigger', 'list'])
      const done = triggers.filter(({ thread, state }) => thread === id && state === 'done')
      return done.length === times
    })
  }
  await told('all green', 2)
  await two.killDaemon()
  await told('all red', 3)
  const { subscribers } = await one.json<JournalJson>(['journal', 'show'])
  expect(subscribers.find(({ name }) => name === 'unread')).toMatchObject({ set_aside: 0 })
})
