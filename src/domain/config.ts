// Owns every setting: its key, type, default, meaning, and whether a project may set it. docs/config.md is made from this table.
import { BadSetting } from './bad-setting.ts'
import { type CustomAgents, readCustomAgents } from './custom-agents.ts'
import { durationOf, durationText } from './duration.ts'
import { isEnvPattern } from './names.ts'
import type { Scope } from './narrows.ts'

/** How a value is read from YAML, or what is wrong with it (BadSetting), and how a person would write it there. */
type Kind<T> = { readonly read: (raw: unknown) => T; readonly write: (value: T) => string }

export type Setting<T> = Kind<T> & {
  readonly fallback: T
  /** What a project's file may do with it. */
  readonly scope: Scope
  readonly about: string
}

const whole = (least: number, most: number): Kind<number> => ({
  read(raw) {
    if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < least || raw > most)
      throw new BadSetting(`must be a whole number from ${least} to ${most}`)
    return raw
  },
  write: String,
})

const text: Kind<string> = {
  read(raw) {
    if (typeof raw !== 'string' || raw.trim() === '') throw new BadSetting('must be a text')
    return raw
  },
  write: String,
}

const yesNo: Kind<boolean> = {
  read(raw) {
    if (typeof raw !== 'boolean') throw new BadSetting('must be true or false')
    return raw
  },
  write: String,
}

/** `none` is null: no end. */
const span: Kind<number | null> = {
  read(raw) {
    try {
      return durationOf(raw)
    } catch {
      throw new BadSetting('must be a duration such as 90s, 30m or 2h')
    }
  },
  write: durationText,
}

const someSpan = (leastMs: number): Kind<number> => ({
  read(raw) {
    const ms = span.read(raw)
    if (ms === null || ms < leastMs)
      throw new BadSetting(`must be a duration of at least ${durationText(leastMs)}`)
    return ms
  },
  write: durationText,
})

const envNames: Kind<string[]> = {
  read(raw) {
    if (!Array.isArray(raw) || !raw.every(isEnvPattern))
      throw new BadSetting('must be a list of variable names; a name may end in *')
    return raw
  },
  write: JSON.stringify,
}

const customAgents: Kind<CustomAgents> = { read: readCustomAgents, write: JSON.stringify }

/** Null is the absence of the setting; nobody can write it. */
const optional = <T>({ read, write }: Kind<T>): Kind<T | null> => ({
  read,
  write: (value) => (value === null ? 'not set' : write(value)),
})

const setting = <T>(fallback: T, scope: Scope, kind: Kind<T>, about: string): Setting<T> => ({
  ...kind,
  fallback,
  scope,
  about,
})

export const settings = {
  agent: setting<string | null>(null, 'any', optional(text), 'The agent kind for tasks that name none.'),
  agents: setting<CustomAgents>({}, 'trust', customAgents, 'Agents of your own: see below.'),
  maxConcurrent: setting(
    5,
    'daemon',
    whole(1, 500),
    'How many runs may work at once; the rest wait in the queue.',
  ),
  'create.maxDuration': setting<number | null>(
    30 * 60_000,
    'less',
    span,
    'Working time of a task made by `create`, then it is ended as KILLED (Timeout); `none` for no end.',
  ),
  'run.maxDuration': setting<number | null>(null, 'less', span, 'The same for a task made by `run`.'),
  'kill.grace': setting(
    10_000,
    'less',
    someSpan(0),
    'How long an interrupted agent may take before it is killed.',
  ),
  'pane.close': setting(
    true,
    'any',
    yesNo,
    'Close the pane of an ended task, once its last screen is stored.',
  ),
  'prompt.maxBytes': setting(1024 * 1024, 'less', whole(1, 16 * 1024 * 1024), 'Longest prompt accepted.'),
  'result.maxBytes': setting(
    10 * 1024 * 1024,
    'daemon',
    whole(1, 256 * 1024 * 1024),
    'Longest result.json read from an agent.',
  ),
  'env.pass': setting<string[]>(
    [],
    'fewer',
    envNames,
    'Environment variables passed to agents beside the built-in list; a name may end in *.',
  ),
  'store.url': setting<string | null>(
    null,
    'daemon',
    optional(text),
    'postgres://… for a shared store; otherwise SQLite in the home.',
  ),
  'reconcile.interval': setting(
    5_000,
    'daemon',
    someSpan(100),
    'How often everything is compared with the world, beside the events.',
  ),
  'launch.grace': setting(
    10_000,
    'daemon',
    someSpan(100),
    'How long a launch may take to show a process before its claim decides.',
  ),
  'tmux.path': setting('tmux', 'daemon', text, 'The tmux to use.'),
} as const

export type SettingKey = keyof typeof settings
export type Config = { readonly [K in SettingKey]: (typeof settings)[K]['fallback'] }
export const SETTING_KEYS = Object.keys(settings) as SettingKey[]

/** A value and where it came from: `default`, or a file. */
export type Sourced = { readonly key: SettingKey; readonly value: unknown; readonly source: string }

/** A value as one would write it in the file. */
export const settingText = (key: SettingKey, value: unknown) =>
  (settings[key] as Setting<unknown>).write(value)
