// The life of a task whose end people are told of by a webhook, and of that notice: stored, bound, sent, refused, sent again, settled.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { NoticeLogJson } from '../../src/protocol/json/notify-json.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { BoundaryLife } from './boundary-life.ts'

export class LifeToldByWebhook extends BoundaryLife {
  /** What the receiver took, and which notices were in it. */
  readonly #taken: { readonly id: string; readonly notices: readonly string[] }[] = []
  /** How often it says no first; then it is tried again after some seconds. */
  #refusals: number
  readonly #receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => (body += part))
    request.on('end', () => {
      if (this.#refusals-- > 0) return response.writeHead(503).end()
      const { id, notices } = JSON.parse(body) as { id: string; notices: { id: string }[] }
      this.#taken.push({ id, notices: notices.map((notice) => notice.id) })
      return response.writeHead(200).end()
    })
  })

  constructor(refusals: number) {
    super()
    this.#refusals = refusals
  }

  override async start(killAt: number): Promise<void> {
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve))
    const { port } = this.#receiver.address() as AddressInfo
    mkdirSync(this.user, { recursive: true })
    writeFileSync(join(this.user, 'secret'), 'a secret of the test', { mode: 0o600 })
    const hook = `{type: webhook, url: "http://127.0.0.1:${port}/", secret: {file: ~/secret}}`
    this.config = [...this.config, `notify: {group: 50ms, channels: {hook: ${hook}}}`]
    await super.start(killAt)
  }

  async live(): Promise<void> {
    const id = await this.create({ prompt: 'do: say alpha' })
    await this.until('its end', async () => {
      const { status } = await this.task(id)
      return status === 'COMPLETED' && !existsSync(join(this.home, 'tasks', id, 'env'))
    })
    // The daemon is left alone meanwhile: its answers are writes, too.
    await this.until('the receiver to take it', () => this.#taken.length > 0)
    await this.until('that to be stored', async () => (await this.#log())[0]?.state === 'sent')
  }

  async check(): Promise<void> {
    const { tasks } = await this.get<TaskListJson>('/api/tasks')
    const [{ id, ...told }, ...others] = (await this.#log()) as [NoticeLogJson['notices'][number]]
    expect(others).toEqual([])
    expect(told).toMatchObject({ kind: 'completion', state: 'sent', session_id: tasks[0]?.session_id })
    // Once; and once more, under the same id, where it was killed before it could store that the receiver had it.
    const [first, ...again] = this.#taken
    expect(first?.notices).toEqual([id])
    expect(again).toEqual(this.killed && again.length > 0 ? [first] : [])
    await this.stop()
    // The next daemon has nothing to tell.
    const count = this.#taken.length
    expect((await this.#log()).map(({ state }) => state)).toEqual(['sent'])
    await this.stop()
    expect(this.#taken).toHaveLength(count)
    expect(this.left().join('\n')).toBe('')
  }

  override async end(): Promise<void> {
    this.#receiver.closeAllConnections()
    await new Promise((resolve) => this.#receiver.close(resolve))
    await super.end()
  }

  #log = async () => (await this.get<NoticeLogJson>('/api/notify/log')).notices
}
