// Commands for the channels by which people are told.
import type { Command, Loading } from '../command.ts'

const channel = { name: 'channel', about: 'Its name in `notify.channels`.' } as const

export const notifyCommands = [
  {
    name: 'notify channels',
    summary: 'List the channels by which you are told, and how each works.',
    arguments: [],
    options: [],
    examples: ['holdfast notify channels', 'holdfast notify channels --json'],
    load: (): Loading => import('../commands/set-up/notify.ts').then((m) => m.listChannels),
  },
  {
    name: 'notify test',
    summary: 'Send a test message by a channel.',
    details: 'Exits 2 when the channel did not take it, and says why.',
    arguments: [channel],
    options: [],
    examples: ['holdfast notify test phone'],
    load: (): Loading => import('../commands/set-up/notify.ts').then((m) => m.testChannel),
  },
  {
    name: 'notify log',
    summary: 'Show what was told by channels, what waits, and what was set aside.',
    arguments: [],
    options: [
      { name: 'channel', value: 'NAME', about: 'Only this channel.' },
      { name: 'limit', value: 'N', about: 'At most this many, the newest.', default: '50' },
    ],
    examples: ['holdfast notify log', 'holdfast notify log --channel phone --limit 200 --json'],
    load: (): Loading => import('../commands/set-up/notify.ts').then((m) => m.noticeLog),
  },
  {
    name: 'notify retry',
    summary: 'Try again what was set aside for a channel.',
    arguments: [channel],
    options: [],
    examples: ['holdfast notify retry team'],
    load: (): Loading => import('../commands/set-up/notify.ts').then((m) => m.retryChannel),
  },
] as const satisfies readonly Command[]
