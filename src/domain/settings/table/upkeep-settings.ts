// Settings of disk space, of how long things are kept, of how work is checked, and of tmux. A part of the table in domain/settings/config.ts.

import { byteSize, contract, duration, durationOrNone, optional, text } from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const upkeepSettings = {
  'disk.warn': setting(
    100 * 1024 ** 2,
    'daemon',
    byteSize,
    'You are warned once when a task uses this much disk space (handoff and run directories together).',
  ),
  'disk.limit': setting(
    500 * 1024 ** 2,
    'daemon',
    byteSize,
    'A task that uses this much disk space is ended.',
  ),
  'disk.totalWarn': setting(
    1024 ** 3,
    'daemon',
    byteSize,
    'You are warned, at most once a day, when all tasks that are not archived use this much disk space together.',
  ),
  'archive.after': setting(
    24 * 3_600_000,
    'daemon',
    durationOrNone,
    'Completed tasks are archived after this time; `none` never.',
  ),
  'retention.runs': setting(
    30 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long files of archived runs, earlier runs of ended tasks, and files that belong to nothing are kept.',
  ),
  'retention.events': setting(
    30 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long events are kept, and prompts that runtimes have worked off.',
  ),
  'retention.messages': setting(
    365 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long messages are kept, and threads in which nothing is posted any more.',
  ),
  'retention.audit': setting(
    365 * 86_400_000,
    'daemon',
    durationOrNone,
    'How long the record of who did what is kept.',
  ),
  verify: setting(
    null,
    'looks',
    optional(contract),
    "The contract of tasks without `--verify`: see docs/verify.md. A project's checks come after yours.",
  ),
  'tmux.path': setting('tmux', 'daemon', text, 'The tmux to use.'),
  'tmux.rest': setting(
    10 * 60_000,
    'daemon',
    duration(100),
    'How long Holdfast waits before it starts tmux again, when the tmux server died three times within ten minutes. Each time it waits longer, up to six times this.',
  ),
} as const
