// Owns how settings files become one config: the defaults, then the user's file, then the project's file. A project's file
// may only narrow, unless a person approved it.

import { BadSetting } from '../bad-setting.ts'
import { HoldfastError } from '../errors.ts'
import { printable } from '../names/names.ts'
import { nearest } from '../names/nearest.ts'
import { bothContracts, commandLines, type VerifyContract } from '../verify/contract.ts'
import { type Approval, approvalText, mayWiden, notTrusted } from './approval.ts'
import { type Config, SETTING_KEYS, type SettingKey, type Sourced, settings, settingText } from './config.ts'
import { agentLines, type CustomAgents } from './custom-agents.ts'
import { isNarrower } from './is-narrower.ts'
import { type Preset, presets } from './recovery-presets.ts'

/** Characters of an error about a setting: where it is in the file, and what is wrong, which may quote a pattern. */
const LONGEST_PLACE = 200
const LONGEST_WHY = 1000

export type SettingsFile = {
  readonly file: string
  /** `own` is the user's file, anything else a project's. */
  readonly approval: Approval
  readonly content: unknown
}

/** A value in a project's file that only counts when a person approved the file. */
export type Widening = {
  readonly file: string
  readonly approval: Approval
  readonly key: SettingKey
  readonly value: unknown
}

export type Merged = {
  readonly config: Config
  readonly sources: readonly Sourced[]
  readonly widenings: readonly Widening[]
}

/**
 * Throws NOT_TRUSTED for an unapproved file that widens something. Its agents alone cause no error: they are left out, and
 * `waitingAgents` names them.
 */
export function mergeConfig(files: readonly SettingsFile[]): Merged {
  const values = new Map<SettingKey, Sourced>()
  const sourced = (key: SettingKey) => values.get(key) ?? byDefault(key)
  const widenings: Widening[] = []
  for (const file of files)
    for (const [key, raw] of flatten(file)) {
      const before = sourced(key)
      const value = readOne(file, key, raw)
      const widens = file.approval !== 'own' && !isNarrowerValue(key, value, before.value)
      if (widens) widenings.push({ file: file.file, approval: file.approval, key, value })
      if (!widens || mayWiden(file.approval)) values.set(key, mergedValue(key, before, value, file))
      else if (key !== 'agents') throw tooWide(file, before)
    }
  const sources = withPreset(SETTING_KEYS.map(sourced), sourced('recovery.preset').value as Preset)
  const config = Object.fromEntries(sources.map(({ key, value }) => [key, value])) as Config
  checkRuleChannels(config, sourced('notify.rules').source)
  return { config, sources, widenings }
}

/** A rule for a channel that is not there would tell nobody, and nobody would notice. */
function checkRuleChannels(config: Config, file: string): void {
  const known = Object.keys(config['notify.channels'])
  for (const [at, { channels }] of config['notify.rules'].entries()) {
    const unknown = channels.find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw new HoldfastError(
        'CONFIG_INVALID',
        `${file}: 'notify.rules[${at}].channels' names '${printable(unknown)}', which is not in notify.channels.`,
      )
  }
}

const byDefault = (key: SettingKey): Sourced => ({ key, value: settings[key].fallback, source: 'default' })

/** The chosen preset gives the values of keys that no file sets. */
function withPreset(sources: readonly Sourced[], chosen: Preset): Sourced[] {
  const numbers = presets[chosen]
  return sources.map((one) =>
    one.source === 'default' && Object.hasOwn(numbers, one.key)
      ? { ...one, value: numbers[one.key], source: `preset ${chosen}` }
      : one,
  )
}

/** The agents of a project's file that wait for a person's approval; `kinds` are their names. */
export function waitingAgents({ widenings }: Pick<Merged, 'widenings'>) {
  const waiting = widenings.find(({ key, approval }) => key === 'agents' && !mayWiden(approval))
  return waiting && { ...waiting, kinds: Object.keys(waiting.value as CustomAgents) }
}
export type WaitingAgents = ReturnType<typeof waitingAgents>

/** What `config show` and `doctor` say about agents that wait for approval. */
export function waitingNotes(merged: Pick<Merged, 'widenings'>): string[] {
  const waiting = waitingAgents(merged)
  if (waiting === undefined) return []
  const { file, kinds, approval } = waiting
  return [`${file} is ${approvalText(approval)}: its agents (${kinds.join(', ')}) are not used`]
}

/** What a person would approve, complete, and without characters that control a terminal. */
export function wideningLines({ key, value }: Widening): string[] {
  if (key === 'agents') return agentLines(value as CustomAgents)
  if (key === 'verify') return commandLines(value as VerifyContract)
  return [`${key}: ${settingText(key, value)}`]
}

function tooWide({ file, approval }: SettingsFile, { key, value }: Sourced): HoldfastError {
  if (key === 'verify') return notTrusted(file, "'verify' would run commands", approval)
  if (key === 'answers') return notTrusted(file, "'answers' would answer agents without asking you", approval)
  const most = `${settingText(key, value)} without this file`
  const way = settings[key].scope === 'less' ? 'lower it' : 'leave names out'
  return notTrusted(
    file,
    `'${key}' allows more than your own settings (${most}); a project may only ${way}`,
    approval,
  )
}

/** A project's agents and checks are added to the user's; of two agents with one name, the later counts. Other values are replaced. */
function mergedValue(key: SettingKey, before: Sourced, value: unknown, { file }: SettingsFile): Sourced {
  const source = before.source === 'default' ? file : `${before.source}, ${file}`
  if (key === 'agents')
    return { key, source, value: { ...(before.value as CustomAgents), ...(value as CustomAgents) } }
  if (key === 'verify')
    return {
      key,
      source,
      value: bothContracts(before.value as VerifyContract | null, value as VerifyContract),
    }
  return { key, value, source: file }
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
      else
        throw new HoldfastError(
          'CONFIG_INVALID',
          `${file}: unknown key '${printable(key)}'.${suggestion(key)}`,
        )
    }
  }
  walk(content, '')
  return found
}

function readOne({ file, approval }: SettingsFile, key: SettingKey, raw: unknown): unknown {
  const { scope, read } = settings[key]
  const refuse = (why: string, within = '') =>
    new HoldfastError(
      'CONFIG_INVALID',
      `${file}: '${printable(`${key}${within}`, LONGEST_PLACE)}' ${printable(why, LONGEST_WHY)}.`,
    )
  if (approval !== 'own' && scope === 'daemon')
    throw refuse('counts for all projects: it can only be set in your own config')
  try {
    return read(raw)
  } catch (error) {
    if (error instanceof BadSetting) throw refuse(error.message, error.within)
    throw error
  }
}

const isNarrowerValue = (key: SettingKey, value: unknown, before: unknown) =>
  isNarrower[settings[key].scope](value as never, before as never)
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Throws CONFIG_INVALID for an unknown key, and names the nearest known one. */
export function settingKey(key: string): SettingKey {
  if (isKey(key)) return key
  throw new HoldfastError('CONFIG_INVALID', `Unknown setting '${printable(key)}'.${suggestion(key)}`)
}
const isKey = (key: string): key is SettingKey => Object.hasOwn(settings, key)
const suggestion = (key: string) => {
  const near = nearest(key, SETTING_KEYS)
  return near === undefined ? '' : ` Did you mean '${near}'?`
}
