// Owns every setting: key, type, default, meaning, and whether a project may set it. The table in docs/config.md is made
// from this one, in this order. It has a file for each subject, in domain/settings/table/.

import { messageSettings } from './table/message-settings.ts'
import { notifySettings } from './table/notify-settings.ts'
import { recoverySettings } from './table/recovery-settings.ts'
import { serverSettings } from './table/server-settings.ts'
import type { Setting } from './table/setting.ts'
import { taskSettings } from './table/task-settings.ts'
import { upkeepSettings } from './table/upkeep-settings.ts'

export const settings = {
  ...taskSettings,
  ...recoverySettings,
  ...messageSettings,
  ...upkeepSettings,
  ...notifySettings,
  ...serverSettings,
} as const

export type SettingKey = keyof typeof settings
export type Config = { readonly [K in SettingKey]: (typeof settings)[K]['fallback'] }

/** Settings of which one value serves all projects. */
export type DaemonKey = {
  [K in SettingKey]: (typeof settings)[K]['scope'] extends 'daemon' ? K : never
}[SettingKey]
/**
 * What the daemon may read from its own settings. The rest is not in it, because a project may have set it: such a value
 * is in the task's snapshot, or is read from the project's file.
 */
export type DaemonConfig = Pick<Config, DaemonKey>

export const SETTING_KEYS = Object.keys(settings) as SettingKey[]

const isDaemonKey = (key: SettingKey): key is DaemonKey => settings[key].scope === 'daemon'

export const daemonConfig = (config: DaemonConfig): DaemonConfig =>
  Object.fromEntries(SETTING_KEYS.filter(isDaemonKey).map((key) => [key, config[key]])) as DaemonConfig

/** A value and where it came from: `default`, a preset, or one or more files. */
export type Sourced = { readonly key: SettingKey; readonly value: unknown; readonly source: string }

/** A value as a person would write it in the file. */
export const settingText = (key: SettingKey, value: unknown) =>
  (settings[key] as Setting<unknown>).write(value)
