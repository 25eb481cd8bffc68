// Owns reading settings files. A project's file may be written by an agent: no links, no FIFOs, no large files.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { HoldfastError, messageOf } from '../../domain/errors.ts'
import { mergeConfig, type SettingsFile, wideningLines } from '../../domain/settings/merge-config.ts'
import { codeOf, isErrno } from '../../domain/system-error.ts'
import { contentHash } from '../../domain/text/content-hash.ts'
import { firstLine } from '../../domain/text/first-line.ts'
import { checkYamlDepth } from '../../domain/text/yaml-depth.ts'
import type { Claim } from '../../ports/files/trust.ts'
import { unsafeOnPath, unsafeText } from '../home/safe-path.ts'
import { fileTrust } from './file-trust.ts'

/** The parser takes seconds for a larger file that nests values without end. */
const LARGEST_BYTES = 64 * 1024

export function userConfigDir(env: Readonly<Record<string, string | undefined>>): string {
  return `${env.XDG_CONFIG_HOME || `${env.HOME ?? ''}/.config`}/holdfast`
}

/** The user's settings alone, or with those of a project on top. */
export async function loadConfig(userDir: string, project: string | undefined) {
  const files = [
    await userSettings(userDir),
    project === undefined ? undefined : await projectSettings(userDir, project),
  ].filter((file) => file !== undefined)
  return { ...mergeConfig(files), files: files.map(({ file }) => file) }
}

/** What a project's settings ask a person to approve; undefined when they only narrow. */
export async function settingsToApprove(userDir: string, project: string): Promise<Claim | undefined> {
  const [own, found] = [await userSettings(userDir), await projectSettings(userDir, project)]
  if (found === undefined) return undefined
  const asIfApproved = { ...found, approval: 'approved' } as const
  const { widenings } = mergeConfig(own === undefined ? [asIfApproved] : [own, asIfApproved])
  const { file, sha256, approval } = found
  return widenings.length === 0
    ? undefined
    : { file, sha256, approval, allows: widenings.flatMap(wideningLines) }
}

/** These decide which programs run and which files of projects are trusted. */
const USER_FILES = ['config.yaml', 'trusted', 'agents', 'steps']

/** CONFIG_UNSAFE when another user could have written the settings; ssh treats its own files in the same way. */
function checkUserDir(userDir: string): void {
  const unsafe = USER_FILES.map((name) => unsafeOnPath(`${userDir}/${name}`)).find(Boolean)
  if (unsafe !== undefined) throw new HoldfastError('CONFIG_UNSAFE', unsafeText(unsafe))
}

const userSettings = async (userDir: string): Promise<SettingsFile | undefined> => {
  checkUserDir(userDir)
  const read = await readSettings(`${userDir}/config.yaml`)
  return read && { ...read, approval: 'own' }
}

/** Settings and approval come from the same reading of the file: what is approved is what is used. */
async function projectSettings(userDir: string, project: string) {
  const read = await readSettings(`${project}/.holdfast/config.yaml`)
  return read && { ...read, approval: await fileTrust(userDir).approval(read.file, read.sha256) }
}

async function readSettings(file: string) {
  const bytes = readSmall(file)
  if (bytes === undefined) return undefined
  try {
    const text = bytes.toString()
    checkYamlDepth(text)
    return { file, sha256: contentHash(bytes), content: parse(text) as unknown }
  } catch (error) {
    throw new HoldfastError('CONFIG_INVALID', `${file}: not valid YAML: ${firstLine(messageOf(error))}`)
  }
}

/** Synchronous: for a file this small the thread pool would take several times as long. */
function readSmall(file: string): Buffer | undefined {
  const refuse = (why: string) => new HoldfastError('CONFIG_INVALID', `${file}: ${why}.`)
  let opened: number
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw refuse(isErrno(error, 'ELOOP') ? 'is a symbolic link' : `cannot be read (${codeOf(error)})`)
  }
  try {
    const found = fstatSync(opened)
    if (!found.isFile()) throw refuse('is not a file')
    if (found.size > LARGEST_BYTES) throw refuse('is too large')
    return readFileSync(opened)
  } finally {
    closeSync(opened)
  }
}
