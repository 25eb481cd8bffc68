// Owns changing the user's settings file: one setting at a time, comments and order kept, checked before it is written.
import { readFileSync } from 'node:fs'
import { type Document, isMap, parseDocument } from 'yaml'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { type SettingKey, settings } from '../../domain/settings/config.ts'
import { mergeConfig } from '../../domain/settings/merge-config.ts'
import { unless } from '../../domain/system-error.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import { replaceFile } from '../disk/replace-file.ts'
import { loadConfig } from './load-config.ts'

export type SettingChange = {
  readonly key: SettingKey
  /** The value as one would write it in the file; undefined removes the setting. */
  readonly text: string | undefined
}

/** Returns the path of the file. When it throws CONFIG_INVALID, the file is as it was. */
export async function changeSetting(userDir: string, change: SettingChange): Promise<string> {
  const file = `${userDir}/config.yaml`
  // A mistake that is already in the file is reported before anything is changed.
  await loadConfig(userDir, undefined)
  const document = parseDocument(readSettingsText(file))
  apply(document, change)
  await writeSettings(userDir, document.toString())
  return file
}

/** The text of the file; empty when there is none. */
export function readSettingsText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return unless('', 'ENOENT')(error)
  }
}

/** The whole text is checked, then it replaces the file. */
export async function writeSettings(userDir: string, text: string): Promise<void> {
  const file = `${userDir}/config.yaml`
  const document = parseDocument(text)
  const [wrong] = document.errors
  if (wrong !== undefined)
    throw new HoldfastError('CONFIG_INVALID', `Not valid YAML: ${firstLine(messageOf(wrong))}`)
  mergeConfig([{ file, approval: 'own', content: document.toJS() }])
  await replaceFile(file, text, { durable: true, isShared: true })
}

/** `kill: {grace: 5s}` and `kill.grace: 5s` are the same setting: it is changed in the form that the file has. */
function apply(document: Document, { key, text }: SettingChange): void {
  const [flat, nested] = [[key], key.split('.')]
  const at = document.hasIn(nested) ? nested : flat
  if (text === undefined) {
    for (const path of [flat, nested]) if (document.hasIn(path)) document.deleteIn(path)
    return
  }
  if (document.contents === null || !isMap(document.contents))
    document.contents = document.createNode({}) as never
  document.setIn(at, settingValue(key, text))
}

/** The words of a command line as a value: read as YAML if the setting takes that, else as a plain text. */
function settingValue(key: SettingKey, text: string): unknown {
  const candidates = [() => parseDocument(text).toJS(), () => text]
  let refusal: unknown
  for (const candidate of candidates) {
    try {
      const value = candidate()
      settings[key].read(value)
      return value
    } catch (error) {
      refusal ??= error
    }
  }
  throw new HoldfastError('CONFIG_INVALID', `'${key}' ${messageOf(refusal)}.`)
}
