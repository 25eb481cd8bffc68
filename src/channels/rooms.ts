// Owns how much a message of each channel takes. Each has less than its service allows, for what is around the words.
import type { ChannelSettings } from '../domain/settings/notify-channels.ts'
import type { Room } from '../ports/channel.ts'

/** For a program, which reads all of it. */
const ROOMY: Room = {
  counting: 'letters',
  size: 500_000,
  each: 10_000,
  notices: 100,
  inFull: 100,
  buttons: 1000,
  perNotice: 0,
  perButton: 0,
}

export const ROOMS: Readonly<Record<ChannelSettings['type'], Room>> = {
  webhook: ROOMY,
  command: ROOMY,
  bell: ROOMY,
  email: { ...ROOMY, size: 48_000, each: 6000, perNotice: 8 },
  // A section takes 3000 letters, a message 50 blocks and about 12,000 letters.
  slack: {
    counting: 'units',
    size: 10_000,
    each: 2900,
    notices: 60,
    inFull: 15,
    buttons: 100,
    perNotice: 8,
    perButton: 0,
  },
  // A bot takes 20 KB of JSON, in which a letter may be two, and a button has its ticket.
  lark: {
    counting: 'bytes',
    size: 12_000,
    each: 6000,
    notices: 60,
    inFull: 15,
    buttons: 60,
    perNotice: 50,
    perButton: 160,
  },
  // 4096, of which the title, the id and the numbers take some. Buttons are not counted, but refused from a hundred on.
  telegram: {
    counting: 'units',
    size: 3500,
    each: 3500,
    notices: 40,
    inFull: 20,
    buttons: 60,
    perNotice: 6,
    perButton: 0,
  },
  // 4096 bytes.
  ntfy: {
    counting: 'bytes',
    size: 3800,
    each: 3800,
    notices: 30,
    inFull: 15,
    buttons: 100,
    perNotice: 6,
    perButton: 0,
  },
}
