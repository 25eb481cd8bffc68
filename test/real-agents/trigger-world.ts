// A real agent at rest in its terminal, and triggers for it. What the model was given is the judge, not our ledger.
import { expect } from 'vitest'
import type { Permission } from '../../src/domain/run/permission.ts'
import type { SentJson } from '../../src/protocol/json/input-json.ts'
import type { ThreadJson } from '../../src/protocol/json/thread-json.ts'
import type { TriggerDetailJson } from '../../src/protocol/json/trigger-json.ts'
import { waitFor } from '../helpers/wait-for.ts'
import type { AgentKind } from './agent-home.ts'
import type { Turn } from './conversation.ts'
import type { Lab } from './lab.ts'
import { PATIENCE_MS, recoveringWith, untilPhase } from './recovery-world.ts'

/** Claude Code adds them to what it was told. */
const REMINDERS = /\n?<system-reminder>[\s\S]*?<\/system-reminder>\n?/g

export type Sent = { readonly id: string; readonly text: string; readonly thread: string }

type Given = { readonly permission?: Permission; readonly ackTimeout?: string }

/** Its first turn is over. Nobody has to wait long for a person at the keys. */
export async function agentAtRest(kind: AgentKind, lab: Lab, { permission, ackTimeout = '2m' }: Given = {}) {
  const waits = ['quiet.window: 1s', 'trigger.deferRecheck: 500ms', 'trigger.ackBackoff: 300ms']
  const config = [...waits, `trigger.ackTimeout: ${ackTimeout}`, ''].join('\n')
  const { world, run } = await recoveringWith(kind, lab, config)
  const id = await run('DO:text{ready}', permission, '--mode', 'interactive')
  const { tmux_session } = await untilPhase(world, id, 'idle')

  const { thread_id: thread } = await world.json<ThreadJson>(['thread', 'create', 'release'])
  const send = async (text: string, ...more: string[]): Promise<Sent> => {
    const sent = await world.json<SentJson & { trigger_id: string }>(
      ['send', id, '-', '--thread', thread, ...more],
      { input: text },
    )
    return { id: sent.trigger_id, text, thread }
  }
  const ledger = ({ id }: Sent) => world.json<TriggerDetailJson>(['trigger', 'show', id])
  const until = (sent: Sent, fits: (trigger: TriggerDetailJson) => boolean, what: string) =>
    waitFor(
      `${sent.id} ${what}`,
      async () => {
        const trigger = await world.daemon.call('GET /api/triggers/:id', { id: sent.id, query: {} })
        return fits(trigger) ? trigger : undefined
      },
      PATIENCE_MS,
    ).catch(async (error) => {
      const page = await world.ok(['trigger', 'show', sent.id])
      throw new Error(`${error.message}\n${page}\n${await world.ok(['screen', id]).catch(String)}`)
    })
  return {
    world,
    id,
    send,
    ledger,
    press: (...keys: string[]) => world.tmux('send-keys', '-t', `=${tmux_session}:`, ...keys),
    screen: () => world.ok(['screen', id]),
    untilState: (sent: Sent, state: TriggerDetailJson['state']) =>
      until(sent, (trigger) => trigger.state === state, `to be ${state}`),
    /** The state may have passed already. */
    untilStep: (sent: Sent, state: TriggerDetailJson['state']) =>
      until(sent, ({ steps }) => steps.some((step) => step.state === state), `to have been ${state}`),
  }
}

/** As it is to arrive, byte for byte. */
const inEnvelope = ({ id, text, thread }: Sent) =>
  `[BRIDGE_TRIGGER id=${id} thread=${thread}]\n${text}\n[/BRIDGE_TRIGGER]`

/** The longest that the model was shown: the agents ask for titles and the like in between. */
const conversation = (lab: Lab) =>
  lab.requests().reduce<readonly Turn[]>((most, { turns }) => (turns.length > most.length ? turns : most), [])

/** The user's turns that name it. */
const turnsWith = (lab: Lab, { id }: Sent) =>
  conversation(lab)
    .filter(({ role, text }) => role === 'user' && text.includes(`id=${id} `))
    .map(({ text }) => text.replace(REMINDERS, ''))

export const hasArrived = (lab: Lab, sent: Sent) => turnsWith(lab, sent).length > 0

/** One turn of the user's, whole and with nothing else in it, in every conversation that ever had it. */
export function expectOnce(lab: Lab, sent: Sent): void {
  expect(turnsWith(lab, sent)).toEqual([inEnvelope(sent)])
  const most = lab
    .requests()
    .map(({ turns }) => JSON.stringify(turns).split(`TRIGGER id=${sent.id} `).length - 1)
  expect(Math.max(...most)).toBe(1)
}

/** In the order in which they were first given to the model. */
export const orderOf = (lab: Lab) =>
  conversation(lab).flatMap(({ role, text }) =>
    role === 'user' ? (/^\[BRIDGE_TRIGGER id=(\S+)/.exec(text)?.[1] ?? []) : [],
  )

/** Without those in which it only went on waiting. */
export const statesOf = ({ steps }: TriggerDetailJson) =>
  steps.map(({ state }) => state).filter((state, at, all) => state !== all[at - 1])
