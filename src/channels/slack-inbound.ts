// Owns what comes from Slack: buttons that were pressed, and slash commands, both signed with the app's signing secret.
import type { SecretPlace } from '../domain/settings/notify-fields.ts'
import type { InboundReply, InboundRequest, Received, Reply, Said } from '../ports/channel.ts'
import { post, refusalOf } from './http.ts'
import type { ChannelNeeds } from './needs.ts'
import { cut } from './plain-text.ts'
import { checkFresh, hmac, isSame, refused } from './signatures.ts'
import { escapeMrkdwn } from './slack.ts'

type Settings = {
  readonly url: SecretPlace
  readonly signingSecret: SecretPlace
  readonly users: readonly string[]
}

const NOTHING: InboundReply = { status: 200, type: 'text/plain', body: '' }
const LONGEST = 3500

export async function receiveFromSlack(
  request: InboundRequest,
  settings: Settings,
  needs: ChannelNeeds,
): Promise<Received> {
  await checkSignature(request, settings, needs)
  const form = new URLSearchParams(request.body)
  const payload = form.get('payload')
  return payload === null ? ofCommand(form, settings) : ofButton(payload, settings, needs)
}

async function checkSignature(
  { headers, body }: InboundRequest,
  { signingSecret }: Settings,
  { secret, clock }: ChannelNeeds,
): Promise<void> {
  const seconds = checkFresh(headers['x-slack-request-timestamp'], clock.now())
  const right = `v0=${hmac(await secret(signingSecret), `v0:${seconds}:${body}`).digest('hex')}`
  if (!isSame(headers['x-slack-signature'] ?? '', right)) throw refused('its signature is wrong')
}

/** A slash command is answered at once, for whoever wrote it. */
function ofCommand(form: URLSearchParams, { users }: Settings): Received {
  const user = form.get('user_id') ?? ''
  const command = form.get('command')
  if (command === null || user === '') return { kind: 'reply', reply: NOTHING }
  const text = `${command} ${form.get('text') ?? ''}`
  const key = form.get('trigger_id') ?? ''
  return {
    kind: 'said',
    said: { user, key, what: { kind: 'command', text } },
    isAllowed: users.includes(user),
    answer: async (reply) => ({
      status: 200,
      type: 'application/json',
      body: JSON.stringify(ephemeral(reply)),
    }),
  }
}

function ofButton(payload: string, settings: Settings, needs: ChannelNeeds): Received {
  const { type, user, actions, response_url } = Object(parsed(payload)) as Record<string, unknown>
  const { id } = Object(user) as { id?: unknown }
  const [action] = Array.isArray(actions) ? actions : []
  const { value, action_ts } = Object(action) as { value?: unknown; action_ts?: unknown }
  if (type !== 'block_actions' || typeof id !== 'string' || typeof value !== 'string')
    return { kind: 'reply', reply: NOTHING }
  const said: Said = {
    user: id,
    key: `${value} ${String(action_ts)}`,
    what: { kind: 'button', ticket: value },
  }
  return {
    kind: 'said',
    said,
    isAllowed: settings.users.includes(id),
    async answer(reply) {
      await tell(reply, response_url, settings, needs)
      return NOTHING
    },
  }
}

/** Only to where our own messages go: the address comes with the request. What cannot be told is left. */
async function tell(
  reply: Reply,
  url: unknown,
  settings: Settings,
  { secret, log }: ChannelNeeds,
): Promise<void> {
  try {
    if (typeof url !== 'string' || new URL(url).origin !== new URL(await secret(settings.url)).origin) return
    const body = { ...ephemeral(reply), replace_original: false }
    const type = { 'content-type': 'application/json' }
    const refusal = refusalOf(await post(url, JSON.stringify(body), type, { patienceMs: 2500 }))
    if (refusal !== null && refusal.kind !== 'sent') throw new Error(refusal.why)
  } catch (error) {
    log.warn('Slack could not be told what came of an answer', { error: String(error) })
  }
}

const ephemeral = ({ words }: Reply) => ({
  response_type: 'ephemeral',
  text: escapeMrkdwn(cut(words, LONGEST)),
  mrkdwn: false,
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('its payload is not JSON')
  }
}
