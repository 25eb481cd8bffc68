// Two lives of a task. One hears by lines: its agent is killed, asks and is answered, and takes a trigger. The other hears by
// keys, in a terminal: its first prompt and a trigger are typed.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CONTINUATION } from '../../src/domain/task/go-on.ts'
import type { TaskListJson } from '../../src/protocol/json/task-json.ts'
import { BoundaryLife } from './boundary-life.ts'
import { isAlive } from './is-alive.ts'
import { waitFor } from './wait-for.ts'
import { heardIn } from './world.ts'

const PROMPT = [
  'do: say alpha',
  'do: append done.txt one',
  'do: wait-for go',
  'do: append done.txt two',
  'do: ask Which colour? | red | green',
  'do: append done.txt three',
  'do: result {"colour":"green"}',
  'do: say omega',
].join('\n')
/** How the lines of its log begin: all it said and was told, each once. */
const SHOWN = [
  ...['prompt:', 'agent:', 'tool:', 'tool done:'],
  ...['prompt:', 'tool:', 'tool done:', 'asks:', 'answer:', 'tool:', 'tool done:', 'agent:', 'result:'],
  ...['prompt:', 'agent:', 'result:'],
]
/** A trigger of three lines, in its envelope. */
const TRIGGER = 'a trigger\ndo: wait-for acknowledged\ndo: say told'
const LEDGER = ['queued', 'typed', 'submitted', 'acknowledged', 'done']

/** Longer than the last sleep of a keeper. */
const LAST_SLEEP_MS = 2000

export class LifeByLines extends BoundaryLife {
  /** The person's side: what is not acknowledged is looked up before it is said again. */
  async live(): Promise<void> {
    const id = await this.create({ prompt: PROMPT, converse: true })
    await this.until('its first steps', () => this.facts('step').length === 2)
    process.kill(await this.until('an agent', () => this.#livingAgent()), 'SIGKILL')
    await this.until('a second life', () => this.#lives().length === 2)
    writeFileSync(join(this.project, 'go'), '')
    await this.until('the question', async () => (await this.task(id)).questions.length > 0)
    await this.until('the answer to be taken', async () => {
      await this.call('POST', `/api/tasks/${id}/answer`, { choice: 'green' })
      return (await this.task(id)).questions.length === 0
    })
    await this.until('the last step', async () => (await this.task(id)).phase === 'idle')
    await this.trigger(id, TRIGGER)
    await this.until('its end', async () => {
      const { status } = await this.task(id)
      if (status === 'RUNNING') await this.call('POST', `/api/tasks/${id}/inputs`, { end: true })
      return status === 'COMPLETED' && !existsSync(join(this.home, 'tasks', id, 'env'))
    })
  }

  async check(): Promise<void> {
    const { tasks } = await this.get<TaskListJson>('/api/tasks')
    expect(tasks).toHaveLength(1)
    const { session_id: id, result_file } = tasks[0]!
    expect(this.done()).toBe('one\ntwo\nthree\n')
    expect(JSON.parse(readFileSync(result_file, 'utf8'))).toEqual({ colour: 'green' })
    expect(this.facts('answered')).toMatchObject([{ answered: 'green' }])
    const trigger = (await this.ledger())!
    const told = heardIn(this.sessions())
    expect(told.map(({ heard, resumed }) => [heard, resumed])).toEqual([
      [PROMPT, false],
      [CONTINUATION, true],
      [
        `[BRIDGE_TRIGGER id=${trigger.trigger_id} thread=${this.thread}]\n${TRIGGER}\n[/BRIDGE_TRIGGER]`,
        true,
      ],
    ])
    expect(trigger).toMatchObject({ state: 'done', acknowledged_by: 'ack_trigger', key: 'once' })
    expect(trigger.steps.map(({ state }) => state)).toEqual(LEDGER)
    const output = readFileSync(join(this.home, 'tasks', id, 'output.log'), 'utf8')
    expect(output.match(/^[a-z][a-z ]*:/gm)).toEqual(SHOWN)
    const log = readFileSync(join(this.home, 'tasks', id, 'session.log'), 'utf8')
    expect(log.match(/→ (COMPLETED|FAILED)/g)).toEqual(['→ COMPLETED'])
    await this.stop()
    // A keeper sleeps for a tenth of a second at a time, and its last sleep may outlive it.
    await waitFor('nothing to be left', () => this.left().length === 0, LAST_SLEEP_MS).catch(() => {})
    expect(this.left().join('\n')).toBe('')
  }

  #lives = () => this.facts('life')

  #livingAgent(): number | undefined {
    const pid = Number(this.#lives().at(-1)?.pid ?? 0)
    return pid > 0 && isAlive(pid) ? pid : undefined
  }
}

const TYPED_PROMPT = 'do: say alpha\ndo: append done.txt one'
const TYPED_TRIGGER = 'a trigger\ndo: append done.txt two\ndo: wait-for acknowledged\ndo: say told'

export class LifeByKeys extends BoundaryLife {
  async live(): Promise<void> {
    const id = await this.create({ prompt: TYPED_PROMPT, mode: 'interactive' })
    await this.until('its first turn', async () => this.done() === 'one\n' && (await this.isIdle(id)))
    await this.trigger(id, TYPED_TRIGGER)
    await this.until('its end', async () => {
      const { status } = await this.task(id)
      if (status === 'RUNNING') await this.call('POST', `/api/tasks/${id}/finish`, {})
      return status === 'COMPLETED' && !existsSync(join(this.home, 'tasks', id, 'env'))
    })
  }

  private isIdle = async (id: string) => (await this.task(id)).phase === 'idle'

  async check(): Promise<void> {
    expect((await this.get<TaskListJson>('/api/tasks')).tasks).toHaveLength(1)
    expect(this.done()).toBe('one\ntwo\n')
    const trigger = (await this.ledger())!
    expect(heardIn(this.sessions()).map(({ heard }) => heard)).toEqual([
      TYPED_PROMPT,
      `[BRIDGE_TRIGGER id=${trigger.trigger_id} thread=${this.thread}]\n${TYPED_TRIGGER}\n[/BRIDGE_TRIGGER]`,
    ])
    expect(trigger).toMatchObject({ state: 'done', acknowledged_by: 'ack_trigger', key: 'once' })
    const states = trigger.steps.map(({ state }) => state)
    for (const state of ['submitted', 'acknowledged', 'done'])
      expect(states.filter((one) => one === state)).toHaveLength(1)
    await this.stop()
    // A keeper sleeps for a tenth of a second at a time, and its last sleep may outlive it.
    await waitFor('nothing to be left', () => this.left().length === 0, LAST_SLEEP_MS).catch(() => {})
    expect(this.left().join('\n')).toBe('')
  }
}
