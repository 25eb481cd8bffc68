// Owns telling a program of the user's own by starting it: no shell, what is told as JSON on stdin.

import { printable } from '../domain/names/names.ts'
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import { firstLine } from '../domain/text/first-line.ts'
import type { Channel } from '../ports/channel.ts'
import { attempt } from './http.ts'
import type { ChannelNeeds } from './needs.ts'
import { payloadOf } from './webhook.ts'

/** As in a shell: not found, or not startable. */
const NOT_STARTABLE: readonly (number | null)[] = [126, 127]

export const command = (
  name: string,
  { argv }: ChannelSettings<'command'>,
  { run }: ChannelNeeds,
): Omit<Channel, 'problem' | 'room'> => ({
  name,
  type: 'command',
  canAnswer: false,
  send: (told) =>
    attempt(async () => {
      const { code, stderr, timedOut } = await run(argv, `${JSON.stringify(payloadOf(told))}\n`)
      if (code === 0) return { kind: 'sent' }
      const said = printable(firstLine(stderr.trim()), 200)
      const how = timedOut ? 'it took too long' : code === null ? 'it was killed' : `it ended with ${code}`
      const why = said === '' ? how : `${how}: ${said}`
      return NOT_STARTABLE.includes(code) ? { kind: 'never', why } : { kind: 'later', why }
    }),
})
