// Owns the kinds of values a setting may have.

import { BadSetting } from '../bad-setting.ts'
import { isEnvPattern } from '../names/names.ts'
import type { NoticeKind } from '../notify/notice.ts'
import type { NoticeRule } from '../notify/rules.ts'
import { byteSizeText, parseByteSize } from '../text/byte-size.ts'
import { durationOf, durationText } from '../text/duration.ts'
import { readContractSetting, type VerifyContract } from '../verify/contract.ts'
import { type AnswerRule, answerRulesText, readAnswerRules } from './answer-rules.ts'
import { type CustomAgents, readCustomAgents } from './custom-agents.ts'
import { type NotifyChannels, readNotifyChannels } from './notify-channels.ts'
import { url } from './notify-fields.ts'
import { readNoticeKinds, readNoticeRules } from './notify-rules.ts'
import { PRESET_NAMES, type Preset } from './recovery-presets.ts'

/** `read` takes a value from YAML, and throws BadSetting when it is wrong. `write` gives it as a person would write it. */
export type Kind<T> = { readonly read: (raw: unknown) => T; readonly write: (value: T) => string }

export const whole = (least: number, most: number): Kind<number> => ({
  read(raw) {
    if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < least || raw > most)
      throw new BadSetting(`must be a whole number from ${least} to ${most}`)
    return raw
  },
  write: String,
})

export const httpAddress: Kind<string> = {
  read(raw) {
    const url = typeof raw === 'string' && URL.canParse(raw) ? new URL(raw) : undefined
    if (url === undefined || !/^https?:$/.test(url.protocol))
      throw new BadSetting('must be an address that begins with http:// or https://')
    return String(raw)
  },
  write: String,
}

export const text: Kind<string> = {
  read(raw) {
    if (typeof raw !== 'string' || raw.trim() === '') throw new BadSetting('must be a text')
    return raw
  },
  write: String,
}

export const boolean: Kind<boolean> = {
  read(raw) {
    if (typeof raw !== 'boolean') throw new BadSetting('must be true or false')
    return raw
  },
  write: String,
}

/** A duration in ms. `none` becomes null: no limit. */
export const durationOrNone: Kind<number | null> = {
  read(raw) {
    try {
      return durationOf(raw)
    } catch {
      throw new BadSetting('must be a duration such as 90s, 30m or 2h')
    }
  },
  write: durationText,
}

export const duration = (leastMs: number): Kind<number> => ({
  read(raw) {
    const ms = durationOrNone.read(raw)
    if (ms === null || ms < leastMs)
      throw new BadSetting(`must be a duration of at least ${durationText(leastMs)}`)
    return ms
  },
  write: durationText,
})

/** `none` becomes null: no limit. */
export const amount = (least: number): Kind<number | null> => ({
  read(raw) {
    if (raw === 'none') return null
    if (typeof raw !== 'number' || !Number.isFinite(raw) || raw < least)
      throw new BadSetting(`must be a number of at least ${least}, or none`)
    return raw
  },
  write: (value) => (value === null ? 'none' : String(value)),
})

/** `none` becomes null: no limit. */
export const byteSize: Kind<number | null> = {
  read(raw) {
    if (raw === 'none') return null
    try {
      return parseByteSize(typeof raw === 'number' || typeof raw === 'string' ? String(raw) : '')
    } catch {
      throw new BadSetting('must be a size such as 500KB, 100MB or 1GB, or none')
    }
  },
  write: (value) => (value === null ? 'none' : byteSizeText(value)),
}

/** From and to, in the daemon's local time. When `to` is earlier than `from`, the hours go over midnight. */
export const hours: Kind<string> = {
  read(raw) {
    if (typeof raw !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(raw))
      throw new BadSetting('must be like 22:00-07:00')
    return raw
  },
  write: String,
}

export const preset: Kind<Preset> = {
  read(raw) {
    if (!PRESET_NAMES.includes(raw as Preset))
      throw new BadSetting(`must be one of ${PRESET_NAMES.join(', ')}`)
    return raw as Preset
  },
  write: String,
}

export const envNames: Kind<string[]> = {
  read(raw) {
    if (!Array.isArray(raw) || !raw.every(isEnvPattern))
      throw new BadSetting('must be a list of variable names; a name may end in *')
    return raw
  },
  write: JSON.stringify,
}

export const hostNames: Kind<string[]> = {
  read(raw) {
    const isName = (one: unknown) => typeof one === 'string' && /^[a-z0-9]([a-z0-9.-]{0,252})$/i.test(one)
    if (!Array.isArray(raw) || !raw.every(isName))
      throw new BadSetting('must be a list of host names without a port, such as [box.lan]')
    return raw.map((name: string) => name.toLowerCase())
  },
  write: JSON.stringify,
}

/** As a browser writes them in the header `origin`: compared letter by letter, and none stands for several. */
export const webOrigins: Kind<string[]> = {
  read(raw) {
    const exact = /^https?:\/\/([a-z0-9._-]+|\[[0-9a-f:]+\])(:\d+)?$/
    const isOrigin = (one: unknown) =>
      typeof one === 'string' && exact.test(one) && URL.canParse(one) && new URL(one).origin === one
    if (!Array.isArray(raw) || !raw.every(isOrigin))
      throw new BadSetting(
        'must be a list of whole origins, without a path, a usual port or *, such as [http://localhost:5173]',
      )
    return raw
  },
  write: JSON.stringify,
}

export const answerRules: Kind<readonly AnswerRule[]> = { read: readAnswerRules, write: answerRulesText }

export const customAgents: Kind<CustomAgents> = { read: readCustomAgents, write: JSON.stringify }

export const notifyChannels: Kind<NotifyChannels> = { read: readNotifyChannels, write: JSON.stringify }

export const noticeRules: Kind<readonly NoticeRule[]> = { read: readNoticeRules, write: JSON.stringify }

export const noticeKinds: Kind<readonly NoticeKind[]> = { read: readNoticeKinds, write: JSON.stringify }

/** A public address of this daemon's own. */
export const webAddress: Kind<string> = { read: (raw) => url(raw, ''), write: String }

export const contract: Kind<VerifyContract> = { read: readContractSetting, write: JSON.stringify }

/** Null when the setting is absent. It cannot be written in a file. */
export const optional = <T>({ read, write }: Kind<T>): Kind<T | null> => ({
  read,
  write: (value) => (value === null ? 'not set' : write(value)),
})
