// Owns how settings files become one config: defaults, then the user's file, then the project's, which may only narrow.
import { BadSetting } from './bad-setting.ts'
import { type Config, SETTING_KEYS, type SettingKey, type Sourced, settings } from './config.ts'
import { HoldfastError } from './errors.ts'
import { nearest } from './nearest.ts'

export type SettingsFile = {
  readonly file: string
  readonly kind: 'user' | 'project'
  readonly content: unknown
}

export function mergeConfig(files: readonly SettingsFile[]): { config: Config; sources: Sourced[] } {
  const values = new Map<SettingKey, Sourced>(
    SETTING_KEYS.map((key) => [key, { key, value: settings[key].fallback, source: 'default' }]),
  )
  for (const file of files)
    for (const [key, raw] of flatten(file))
      values.set(key, { key, value: readOne(file, key, raw, values), source: file.file })
  const sources = SETTING_KEYS.map((key) => values.get(key)!)
  return { config: Object.fromEntries(sources.map(({ key, value }) => [key, value])) as Config, sources }
}

/** `kill: {grace: 5s}` and `kill.grace: 5s` are the same setting. */
function flatten({ file, content }: SettingsFile): [SettingKey, unknown][] {
  if (content === null || content === undefined) return []
  if (!isMap(content)) throw new HoldfastError('CONFIG_INVALID', `${file}: must be a map of settings.`)
  const found: [SettingKey, unknown][] = []
  const walk = (map: Record<string, unknown>, prefix: string) => {
    for (const [name, value] of Object.entries(map)) {
      const key = prefix + name
      if (isKey(key)) found.push([key, value])
      else if (isMap(value) && SETTING_KEYS.some((known) => known.startsWith(`${key}.`)))
        walk(value, `${key}.`)
      else throw new HoldfastError('CONFIG_INVALID', `${file}: unknown key '${key}'.${suggestion(key)}`)
    }
  }
  walk(content, '')
  return found
}

function readOne(
  file: SettingsFile,
  key: SettingKey,
  raw: unknown,
  before: Map<SettingKey, Sourced>,
): unknown {
  const { scope, read } = settings[key]
  const refuse = (why: string, within = '') =>
    new HoldfastError('CONFIG_INVALID', `${file.file}: '${key}${within}' ${why}.`)
  if (file.kind === 'project' && scope === 'user')
    throw refuse('can only be set in your own config, not by a project')
  let value: unknown
  try {
    value = read(raw)
  } catch (error) {
    if (error instanceof BadSetting) throw refuse(error.message, error.within)
    throw error
  }
  if (file.kind === 'project' && scope === 'narrow' && widens(value, before.get(key)!.value))
    throw refuse('may only be made smaller by a project')
  return value
}

/** Null means without end. */
const widens = (value: unknown, limit: unknown) =>
  limit !== null && (value === null || (value as number) > (limit as number))

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isKey = (key: string): key is SettingKey => Object.hasOwn(settings, key)
const suggestion = (key: string) => {
  const near = nearest(key, SETTING_KEYS)
  return near === undefined ? '' : ` Did you mean '${near}'?`
}
