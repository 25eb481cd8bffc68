// Owns reading a secret from where the settings say it is.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { HoldfastError } from '../../domain/errors.ts'
import type { SecretPlace } from '../../domain/settings/notify-fields.ts'
import { codeOf } from '../../domain/system-error.ts'

type Env = Readonly<Record<string, string | undefined>>
const LARGEST_BYTES = 16 * 1024

/** Without blanks and newlines around it. CONFIG_INVALID when it is missing or empty, or when others can read its file. */
export function readSecret(place: SecretPlace, env: Env): string {
  const value =
    'env' in place ? (env[place.env] ?? '') : fromFile(place.file.replace(/^~(?=\/)/, env.HOME ?? ''))
  const secret = value.trim()
  if (secret !== '') return secret
  throw bad('env' in place ? `the daemon has no variable ${place.env}` : `${place.file} is empty`)
}

function fromFile(file: string): string {
  let opened: number
  try {
    opened = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    throw bad(`${file} cannot be read (${codeOf(error)})`)
  }
  try {
    const found = fstatSync(opened)
    if (!found.isFile() || found.size > LARGEST_BYTES) throw bad(`${file} is not a small file`)
    if ((found.mode & 0o077) !== 0) throw bad(`others can read ${file}, until you chmod 600 it`)
    return readFileSync(opened, 'utf8')
  } finally {
    closeSync(opened)
  }
}

const bad = (why: string) => new HoldfastError('CONFIG_INVALID', `A secret cannot be used, because ${why}.`)
