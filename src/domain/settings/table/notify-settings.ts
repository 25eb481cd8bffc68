// Settings of what people are told outside of Holdfast. A part of the table in domain/settings/config.ts.

import { NOTICE_KINDS } from '../../notify/notice.ts'
import {
  duration,
  hours,
  noticeKinds,
  noticeRules,
  notifyChannels,
  optional,
  webAddress,
} from '../setting-kinds.ts'
import { setting } from './setting.ts'

export const notifySettings = {
  'notify.channels': setting(
    {},
    'daemon',
    notifyChannels,
    'By which ways you are told what happens: see docs/notifications.md.',
  ),
  'notify.rules': setting(
    [],
    'daemon',
    noticeRules,
    'Which channel is told of what; without rules, all are told all but progress.',
  ),
  'notify.events': setting(
    NOTICE_KINDS,
    'fewer',
    noticeKinds,
    'Nobody is told of other events than these. A project may leave some out for its tasks.',
    'use',
  ),
  'notify.quietHours': setting(
    null,
    'daemon',
    optional(hours),
    'Nobody is told anything in these hours, such as 22:00-07:00 (local time); it is told together when they are over.',
  ),
  'notify.group': setting(
    3_000,
    'daemon',
    duration(0),
    'How long after an event a channel is told of it: what happens within this time is told together. Also the least time between two deliveries to one channel.',
  ),
  'notify.giveUpAfter': setting(
    3 * 86_400_000,
    'daemon',
    duration(60_000),
    'How long a channel that does not answer is tried; then the delivery is set aside.',
  ),
  'notify.answerWithin': setting(
    24 * 3_600_000,
    'daemon',
    duration(60_000),
    'How long the answer buttons of a notice work.',
  ),
  'notify.publicUrl': setting(
    null,
    'daemon',
    optional(webAddress),
    'The address under which others reach `/inbound/` of this daemon, for answers by ntfy.',
  ),
} as const
