// A daemon with a Lark app: what it writes there, and requests as Lark would send them.

import { expect } from 'vitest'
import { startReceiver } from '../channels/http-receiver.ts'
import { button, encrypted, KEY, message, signed, TOKEN } from '../channels/lark-requests.ts'
import { freePort } from './free-port.ts'
import { waitFor } from './wait-for.ts'
import { startWorld } from './world.ts'

type Card = { elements: { actions?: { value: { ticket: string } }[] }[] }

/** `ou_1` alone may answer. `config`: more of the settings; `rules`: of `notify`. */
export async function withLark({ config = '', rules = '[]' } = {}) {
  const lark = await startReceiver(({ path }) => ({
    body: path.includes('tenant_access_token') ? { code: 0, tenant_access_token: 't-1' } : { code: 0 },
  }))
  const port = await freePort()
  const world = await startWorld({
    env: { APP: 'app-secret', TOKEN, KEY },
    config: `${config}
server.port: ${port}
notify:
  group: 100ms
  rules: ${rules}
  channels:
    ops:
      type: lark
      server: "${lark.url}"
      appId: cli_1
      appSecret: {env: APP}
      chat: oc_1
      verificationToken: {env: TOKEN}
      encryptKey: {env: KEY}
      users: [ou_1]
`,
  })
  const contents = (path: string) =>
    lark.got.filter((got) => got.path.includes(path)).map(({ body }) => String(JSON.parse(body).content))
  const post = async (request: ReturnType<typeof signed>) => {
    const answer = await fetch(`http://127.0.0.1:${port}/inbound/ops`, { method: 'POST', ...request })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  let events = 0
  return {
    world,
    post,
    command: (text: string, user = 'ou_1') => signed(encrypted(message(text, user, `e-${++events}`))),
    press: (ticket: string, user = 'ou_1') => post(signed(encrypted(button(ticket, user)))),
    /** All cards, as text. */
    cards: () => contents('receive_id_type'),
    /** What the bot answers to this request, in a request of its own: a card, as text. */
    said: async (request: ReturnType<typeof signed>) => {
      const before = contents('/reply').length
      expect(await post(request)).toEqual({ status: 200, body: {} })
      return waitFor('the reply', () => contents('/reply')[before])
    },
    /** The tickets of the buttons of the newest card with buttons. */
    tickets: () =>
      contents('receive_id_type')
        .map((text) => (JSON.parse(text) as Card).elements.flatMap(({ actions }) => actions ?? []))
        .filter((actions) => actions.length > 0)
        .at(-1)
        ?.map(({ value }) => value.ticket),
  }
}
