// Settings of what happens when a run ends badly, waits, costs too much or shows no life. A part of the table in domain/settings/config.ts.

import {
  amount,
  boolean,
  duration,
  durationOrNone,
  hours,
  optional,
  preset,
  whole,
} from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const recoverySettings = {
  'recovery.preset': setting(
    'default',
    'any',
    preset,
    'Numbers for all recovery keys that you do not set yourself: see below.',
  ),
  retries: setting(
    10,
    'less',
    whole(0, 1000),
    'How often a task is brought back without making progress in between; 0: never.',
  ),
  'backoff.base': setting(
    5_000,
    'any',
    duration(0),
    'The first retry comes at once, the second after this time, each further one after twice the time before.',
  ),
  'backoff.cap': setting(10 * 60_000, 'any', duration(0), 'The longest wait between two retries.'),
  deadline: setting(
    5 * 3_600_000,
    'less',
    durationOrNone,
    'Working time after which a task is not brought back any more; it never ends a living agent.',
  ),
  'crashLoop.deaths': setting(
    3,
    'any',
    whole(2, 1000),
    'After this many deaths without progress within `crashLoop.window`, a person is asked instead of retrying.',
  ),
  'crashLoop.window': setting(15 * 60_000, 'any', duration(1000), 'See `crashLoop.deaths`.'),
  'runtime.grace': setting(
    30_000,
    'any',
    duration(0),
    'How long after its end a runtime is started again. The first time at once, when a prompt waits for it.',
  ),
  'runtime.maxRestarts': setting(
    5,
    'any',
    whole(1, 1000),
    'After this many restarts in which a runtime did not come up, it is left down and a person is asked.',
  ),
  'runtime.startTimeout': setting(
    60_000,
    'any',
    duration(1000),
    'How long a runtime may take until its agent waits for a prompt.',
  ),
  'runtime.staleAfter': setting(
    12 * 3_600_000,
    'daemon',
    duration(1000),
    'A runtime that has said nothing for this time is not resumed with a prompt that it did not take: a new session begins.',
  ),
  'breaker.failures': setting(
    3,
    'daemon',
    whole(1, 1000),
    'When this many tasks of one agent and account fail in the same way, with no progress in between, all tasks of that account wait.',
  ),
  maxCost: setting(null, 'less', amount(0), 'Dollars after which a task is ended.'),
  maxTokens: setting(null, 'less', amount(1), 'Tokens, in and out together, after which a task is ended.'),
  'park.enabled': setting(
    true,
    'daemon',
    boolean,
    'Wait for the end of a usage limit. Otherwise a person is asked.',
  ),
  'park.quietHours': setting(
    null,
    'daemon',
    optional(hours),
    'No parked task wakes in these hours, such as 22:00-07:00 (local time).',
  ),
  'wake.stagger': setting(
    2_000,
    'daemon',
    duration(0),
    'Pause between tasks that go on together: after a limit, or after a reboot.',
  ),
  'wake.quiet': setting(
    2_000,
    'daemon',
    duration(0),
    'How long after the first news of its children a task is told of them: what happens within this time is told together.',
  ),
  'stuck.after': setting(
    5 * 60_000,
    'any',
    duration(1000),
    'An agent without any proof of life for this time is stuck.',
  ),
  'stuck.quiet': setting(
    30 * 60_000,
    'any',
    duration(1000),
    'The same while a request or a tool call is open.',
  ),
} as const
