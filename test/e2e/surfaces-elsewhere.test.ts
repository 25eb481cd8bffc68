// What people and programs ask, with the store on PostgreSQL and the home at another place, whose name needs quoting.
import { request } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { HEADER_VERSION } from '../../src/protocol/headers.ts'
import type { AuditPageJson, HealthJson } from '../../src/protocol/json/daemon-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { usePostgres } from '../helpers/postgres.ts'
import { waitFor } from '../helpers/wait-for.ts'
import { askWeb, login } from '../helpers/web.ts'
import { startWorld } from '../helpers/world.ts'

const postgres = usePostgres()

const elsewhere = async () =>
  startWorld({ home: "hö'me 1", config: `store.url: ${JSON.stringify(await postgres.freshUrl())}\n` })

/** The ids and kinds of server-sent events, until there are enough. */
function listen(port: number, headers: Record<string, string>, isEnough: (kinds: string[]) => boolean) {
  return new Promise<{ id: string; kind: string }[]>((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port, path: '/api/events?from=start', headers }, (response) => {
      let text = ''
      response.on('data', (part) => {
        text += part
        const found = [...text.matchAll(/^id: (.*)\nevent: (.*)$/gm)].map(([, id = '', kind = '']) => ({
          id,
          kind,
        }))
        if (!isEnough(found.map(({ kind }) => kind))) return
        call.destroy()
        resolve(found)
      })
    })
    onTestFinished(() => void call.destroy())
    call.on('error', reject).end()
  })
}

test('pages, lists, events, answers, audit, health and metrics are the same with another store and home', async () => {
  const world = await elsewhere()
  const ended: string[] = []
  for (const n of [1, 2, 3]) ended.push(await world.run(`do: finish ${n}`, '--tag', 'batch'))
  const asks = await world.run('do: ask Go on? | Yes | No\ndo: finish ok', '--converse')
  for (const id of ended) await world.untilStatus(id, 'COMPLETED')
  await waitFor('the question', async () => (await world.status(asks)).phase === 'asking')

  const { port, cookie, origin } = await login(world)
  const get = async <T>(path: string): Promise<T> => {
    const answer = await askWeb(port, path, { headers: { cookie } })
    expect({ path, status: answer.status }).toEqual({ path, status: 200 })
    return JSON.parse(answer.body) as T
  }
  expect(await get<HealthJson>('/api/health')).toMatchObject({
    store: 'postgres',
    home: world.home,
    stats: { completed: 3, waiting_input: 1 },
  })

  const seen: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const more: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`
    const page: TaskListJson = await get(`/api/tasks?tag=batch&limit=1${more}`)
    expect(page.tasks.length).toBeLessThanOrEqual(1)
    seen.push(...page.tasks.map(({ session_id }) => session_id))
    after = page.next
  }
  expect(seen).toEqual([...ended].reverse())

  const first = await listen(port, { cookie }, (kinds) => kinds.includes('task_question_asked'))
  const all = first.map(({ id }) => id)
  const [, middle = ''] = all
  const rest = await listen(port, { cookie, 'last-event-id': middle }, (kinds) =>
    kinds.includes('task_question_asked'),
  )
  expect(rest.map(({ id }) => id)).toEqual(all.slice(2))

  const body = JSON.stringify({ choice: 'Yes' })
  const headers = { cookie, origin, [HEADER_VERSION]: '0' }
  const answered = await askWeb(port, `/api/tasks/${asks}/answer`, { method: 'POST', headers, body })
  expect([answered.status, JSON.parse(answered.body).answer]).toEqual([200, 'Yes'])
  await waitFor('it to go on', async () => (await world.status(asks)).phase === 'idle')

  const { entries } = await get<AuditPageJson>(`/api/audit?task=${asks}`)
  expect(entries.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['question_answered', 'task_created']),
  )
  const metrics = await askWeb(port, '/metrics', { headers: { cookie } })
  expect(metrics.body).toMatch(/^holdfast_tasks\{.*completed.*\} 3$/m)
})

test('`doctor` says that the store cannot be written when it can only be read', async () => {
  const world = await elsewhere()
  await world.ok(['up'])
  const storeLine = async () =>
    (await world.cli(['doctor'])).stdout.split('\n').find((line) => / store /.test(line))
  expect(await storeLine()).toMatch(/^ok .*postgres/)
  // As after a switch to a standby: new connections may read alone.
  await postgres.query('alter role postgres set default_transaction_read_only = on')
  await postgres.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()')
  await waitFor('the daemon to read again', async () => (await world.cli(['list'])).code === 0)
  expect(await storeLine()).toMatch(/^FAIL .*cannot be written: .*read-only transaction/)
  const said = await world.json<{ ok: boolean }>(['doctor']).catch((error: Error) => error.message)
  expect(said).toContain('"ok": false')
})
