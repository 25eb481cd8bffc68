// Owns reading settings files. A project's file may be written by an agent: no links, no FIFOs, no giants.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { parse } from 'yaml'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { mergeConfig, type SettingsFile } from '../domain/merge-config.ts'

const LARGEST_BYTES = 256 * 1024

export function userConfigDir(env: Readonly<Record<string, string | undefined>>): string {
  return `${env.XDG_CONFIG_HOME || `${env.HOME ?? ''}/.config`}/holdfast`
}

export async function loadConfig(userDir: string, project: string | undefined) {
  const files = [
    await readSettings(`${userDir}/config.yaml`, 'user'),
    ...(project === undefined ? [] : [await readSettings(`${project}/.holdfast/config.yaml`, 'project')]),
  ].filter((file) => file !== undefined)
  return { ...mergeConfig(files), files: files.map(({ file }) => file) }
}

async function readSettings(file: string, kind: SettingsFile['kind']): Promise<SettingsFile | undefined> {
  const text = await readSmall(file)
  if (text === undefined) return undefined
  try {
    return { file, kind, content: parse(text) }
  } catch (error) {
    throw new HoldfastError(
      'CONFIG_INVALID',
      `${file}: not valid YAML: ${messageOf(error).split('\n', 1)[0]}`,
    )
  }
}

async function readSmall(file: string): Promise<string | undefined> {
  const refuse = (why: string) => new HoldfastError('CONFIG_INVALID', `${file}: ${why}.`)
  let handle: Awaited<ReturnType<typeof open>>
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw refuse(code === 'ELOOP' ? 'is a symbolic link' : `cannot be read (${code})`)
  }
  try {
    const { size } = await handle
      .stat()
      .then((stat) => (stat.isFile() ? stat : Promise.reject(refuse('is not a file'))))
    if (size > LARGEST_BYTES) throw refuse('is too large')
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
