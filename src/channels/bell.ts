// Owns ringing at the terminals that show the sessions which something is told of.
import type { Channel } from '../ports/channel.ts'
import { attempt } from './http.ts'
import type { ChannelNeeds } from './needs.ts'

/** Where nobody looks, nothing rings. */
export const bell = (
  name: string,
  { ring }: Pick<ChannelNeeds, 'ring'>,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'bell',
  canAnswer: false,
  send: ({ notices }) =>
    attempt(async () => {
      await ring([...new Set(notices.flatMap(({ sessionId }) => sessionId ?? []))])
      return { kind: 'sent' }
    }),
})
