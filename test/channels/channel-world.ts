// A channel of settings as a user writes them, with secrets that the test knows.
import { openChannels } from '../../src/channels/open-channels.ts'
import { readNotifyChannels } from '../../src/domain/settings/notify-channels.ts'
import type { SecretPlace } from '../../src/domain/settings/notify-fields.ts'
import type { Channel, ChannelMessage, NoticeToSend, Receipts } from '../../src/ports/channel.ts'
import { systemClock } from '../../src/system/clock.ts'

type Needs = Parameters<typeof openChannels>[1]

export function openChannel(
  settings: Record<string, unknown>,
  secrets: Record<string, string> = {},
  more: Partial<Needs> = {},
): OneTry {
  const needs: Needs = {
    clock: systemClock,
    log: { warn: () => {} },
    secret: async (place: SecretPlace) => {
      const value = 'env' in place ? secrets[place.env] : undefined
      if (value === undefined) throw new Error(`no secret at ${JSON.stringify(place)}`)
      return value
    },
    run: async () => ({ code: 0, stderr: '', timedOut: false }),
    ring: async () => {},
    publicUrl: null,
    ...more,
  }
  const channel = openChannels(readNotifyChannels({ team: settings }), needs)[0]!
  // Most tests are about one try.
  return { ...channel, send: (told, receipts = receiptsOf()) => channel.send(told, receipts) } as OneTry
}

export type OneTry = Omit<Channel, 'send'> & {
  send(told: ChannelMessage, receipts?: Receipts): ReturnType<Channel['send']>
}

/** Kept over several tries, as a store keeps them. */
export function receiptsOf(taken: string[] = []): Receipts & { readonly taken: ReadonlySet<string> } {
  const all = new Set(taken)
  return { taken: all, take: async (receiver) => void all.add(receiver) }
}

export const aNotice = (changes: Partial<NoticeToSend> = {}): NoticeToSend => ({
  id: 'n0123456789abcdef012',
  kind: 'completion',
  sessionId: '20251118-153042-fix-login',
  title: 'fix-login completed: done',
  text: 'done\nSession: 20251118-153042-fix-login',
  at: Date.UTC(2026, 10, 17, 12),
  question: null,
  buttons: [],
  isBrief: false,
  ...changes,
})

export const aQuestionNotice = (changes: Partial<NoticeToSend> = {}) =>
  aNotice({
    kind: 'question',
    title: 'fix-login asks: May I?',
    text: 'May I?\n1. yes\n2. no',
    question: { number: 1, options: ['yes', 'no'] },
    buttons: [
      { label: 'yes', ticket: 'n0123456789abcdef012.0.abcdefghijklmnopqrstuv' },
      { label: 'no', ticket: 'n0123456789abcdef012.1.abcdefghijklmnopqrstuv' },
    ],
    ...changes,
  })

export const told = (...notices: NoticeToSend[]): ChannelMessage => ({
  id: 'delivery-1',
  title: notices[0]?.title ?? 'nothing',
  notices,
})

/** What an agent may choose to be called, or to say. */
export const HOSTILE =
  '<!channel> <at user_id="all"></at> *b* [x](http://evil) <script>alert(1)</script> &amp;'
