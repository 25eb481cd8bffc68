// Owns the file that makes the daemon a service of the user: a systemd unit, or a launchd agent on macOS.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { HoldfastError } from '../../domain/errors.ts'
import { codeOf } from '../../domain/system-error.ts'
import { replaceFile } from '../disk/replace-file.ts'
import { withDiskErrors } from '../disk/with-disk-errors.ts'
import { environmentEntry, LABEL, launchdPlist, programArguments } from './plist.ts'
import { environmentLine, execStart, systemdUnit, UNIT } from './unit.ts'

export type ServiceSpec = {
  readonly node: string
  /** The daemon's script. */
  readonly daemon: string
  readonly home: string
  /** The variables of the daemon, HOLDFAST_HOME among them. */
  readonly env: Readonly<Record<string, string>>
}

export type ServiceFile = {
  readonly kind: 'systemd' | 'launchd'
  readonly path: string
  readonly text: string
  /** The part that starts this very installation with this home. */
  readonly command: string
  /** The part that names the home. */
  readonly homePart: string
  readonly spec: ServiceSpec
}

/** `outdated`: ours, but node or Holdfast has moved since. `other_home`: ours, for another home. `foreign`: not ours. */
export type ServiceFileState = 'absent' | 'current' | 'outdated' | 'other_home' | 'foreign'

/** The comment by which we know a file that we wrote. */
const MARK = 'Made by `holdfast service install`, which writes it anew. See docs/service.md.'

export function serviceFile(spec: ServiceSpec, userHome: string, platform = process.platform): ServiceFile {
  if (platform === 'darwin')
    return {
      kind: 'launchd',
      path: join(userHome, 'Library/LaunchAgents', `${LABEL}.plist`),
      text: launchdPlist(spec, MARK),
      command: programArguments(spec),
      homePart: environmentEntry(['HOLDFAST_HOME', spec.home]),
      spec,
    }
  return {
    kind: 'systemd',
    path: join(userHome, '.config/systemd/user', UNIT),
    text: systemdUnit(spec, MARK),
    command: execStart(spec),
    homePart: environmentLine(['HOLDFAST_HOME', spec.home]),
    spec,
  }
}

export function serviceFileState({ path, command, homePart }: ServiceFile): ServiceFileState {
  const found = read(path)
  if (found === undefined) return 'absent'
  if (!found.includes(MARK)) return 'foreign'
  if (found.includes(command)) return 'current'
  return found.includes(homePart) ? 'outdated' : 'other_home'
}

/** False when the same text was there already. */
export async function writeServiceFile(file: ServiceFile): Promise<boolean> {
  refuseForeignFile(file)
  refuseUnwritable(file.spec)
  if (read(file.path) === file.text) return false
  await withDiskErrors(file.path, async () => mkdirSync(dirname(file.path), { recursive: true }))
  await replaceFile(file.path, file.text, { durable: true, isShared: true, mode: 0o644 })
  return true
}

/** Removes the file and the link that enabled it. */
export function removeServiceFile(file: ServiceFile): void {
  refuseForeignFile(file)
  rmSync(file.path, { force: true })
  if (file.kind === 'systemd') rmSync(join(dirname(file.path), 'default.target.wants', UNIT), { force: true })
}

/** SERVICE_CONFLICT when the file is not ours, or belongs to another home. */
export function refuseForeignFile(file: ServiceFile): void {
  const state = serviceFileState(file)
  if (state === 'foreign')
    throw new HoldfastError(
      'SERVICE_CONFLICT',
      `${file.path} was not made by Holdfast, so it is not changed.`,
    )
  if (state === 'other_home')
    throw new HoldfastError(
      'SERVICE_CONFLICT',
      `${file.path} belongs to another Holdfast home than ${file.spec.home}: uninstall it from that home first.`,
    )
}

/** A file that cannot be read is empty here, so that it counts as not ours. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : ''
  }
}

/** Neither format can hold control characters, and systemd takes no program whose path has quotes or backslashes. */
function refuseUnwritable({ node, daemon, home, env }: ServiceSpec): void {
  const unfit =
    [node, daemon, home, ...Object.values(env)].find((text) => /\p{Cc}/u.test(text)) ??
    [node].find((text) => /["'\\]/.test(text))
  if (unfit !== undefined)
    throw new HoldfastError(
      'SERVICE_CONFLICT',
      `${JSON.stringify(unfit)} cannot be written into a service file: it has quotes, backslashes or control characters.`,
    )
}
