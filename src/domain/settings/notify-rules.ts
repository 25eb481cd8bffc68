// Owns the settings `notify.rules` and `notify.events`.
import { BadSetting } from '../bad-setting.ts'
import { NOTICE_KINDS, type NoticeKind, USUAL_KINDS } from '../notify/notice.ts'
import type { NoticeRule } from '../notify/rules.ts'

const FIELDS = ['events', 'tags', 'roles', 'channels', 'children']
const MOST = 100

export function readNoticeRules(raw: unknown): NoticeRule[] {
  if (!Array.isArray(raw) || raw.length > MOST)
    throw new BadSetting(`must be a list of at most ${MOST} rules with ${FIELDS.join(', ')}`)
  return raw.map((rule, at) => readRule(rule, `[${at}]`))
}

export function readNoticeKinds(raw: unknown, at = ''): NoticeKind[] {
  const kinds = readNames(raw, at)
  const unknown = kinds.find((kind) => !NOTICE_KINDS.includes(kind as NoticeKind))
  if (unknown !== undefined)
    throw new BadSetting(`names '${unknown}'; known are ${NOTICE_KINDS.join(', ')}`, at)
  return kinds as NoticeKind[]
}

function readRule(raw: unknown, at: string): NoticeRule {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw new BadSetting(`must be a map with ${FIELDS.join(', ')}`, at)
  const unknown = Object.keys(raw).find((field) => !FIELDS.includes(field))
  if (unknown !== undefined)
    throw new BadSetting(`is unknown; known are ${FIELDS.join(', ')}`, `${at}.${unknown}`)
  const { events, tags = [], roles = [], channels = [], children = false } = raw as Record<string, unknown>
  if (typeof children !== 'boolean') throw new BadSetting('must be true or false', `${at}.children`)
  return {
    events: events === undefined ? USUAL_KINDS : readNoticeKinds(events, `${at}.events`),
    tags: readNames(tags, `${at}.tags`),
    roles: readNames(roles, `${at}.roles`),
    channels: readNames(channels, `${at}.channels`),
    children,
  }
}

function readNames(raw: unknown, at: string): string[] {
  if (!Array.isArray(raw) || raw.length > MOST || !raw.every((one) => typeof one === 'string' && one !== ''))
    throw new BadSetting(`must be a list of at most ${MOST} names`, at)
  return raw
}
