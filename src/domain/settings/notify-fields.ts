// Owns the kinds of values that the settings of a channel may have. Secrets are never in the file: only where they are.
import { BadSetting } from '../bad-setting.ts'
import { ENV_NAME } from '../names/names.ts'

/** Throws BadSetting with the place when the value is wrong. */
export type Reader<T> = (raw: unknown, at: string) => T

/** Where a secret is: in a file of the user's alone, or in a variable of the daemon's environment. */
export type SecretPlace = { readonly file: string } | { readonly env: string }

const LONGEST = 2000
const MOST = 50

export const text: Reader<string> = (raw, at) => {
  if (typeof raw === 'string' && raw.trim() !== '' && raw.length <= LONGEST && !/[\0-\x1f\x7f]/.test(raw))
    return raw
  throw new BadSetting('must be a text in one line', at)
}

export const optional =
  <T>(read: Reader<T>): Reader<T | null> =>
  (raw, at) =>
    raw === undefined || raw === null ? null : read(raw, at)

export const withDefault =
  <T>(read: Reader<T>, fallback: T): Reader<T> =>
  (raw, at) =>
    raw === undefined ? fallback : read(raw, at)

export const secret: Reader<SecretPlace> = (raw, at) => {
  if (raw === undefined)
    throw new BadSetting(
      'is missing: it is a secret, and tells where that is, as {file: PATH} or {env: NAME}',
      at,
    )
  const { file, env, ...more } = Object(raw) as Record<string, unknown>
  const isOne = (file === undefined) !== (env === undefined) && Object.keys(more).length === 0
  if (typeof raw !== 'object' || raw === null || !isOne)
    throw new BadSetting(
      'is a secret: it must be {file: PATH} or {env: NAME}, and never stands in the config itself',
      at,
    )
  if (file !== undefined) {
    if (typeof file === 'string' && /^(\/|~\/)/.test(file) && file.length <= LONGEST) return { file }
    throw new BadSetting('must be a path that begins with / or ~/', `${at}.file`)
  }
  if (typeof env === 'string' && ENV_NAME.test(env)) return { env }
  throw new BadSetting('must be the name of a variable', `${at}.env`)
}

/** A password in an address would be a secret in the config. */
export const url: Reader<string> = (raw, at) => {
  const parsed = typeof raw === 'string' ? tryUrl(raw) : null
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    throw new BadSetting('must be an address that begins with https:// or http://', at)
  if (parsed.username !== '' || parsed.password !== '')
    throw new BadSetting('must not contain a user name or password', at)
  return (raw as string).replace(/\/+$/, '')
}

export const urlOrSecret: Reader<string | SecretPlace> = (raw, at) =>
  typeof raw === 'string' ? url(raw, at) : secret(raw, at)

export const textOrSecret: Reader<string | SecretPlace> = (raw, at) =>
  typeof raw === 'string' ? text(raw, at) : secret(raw, at)

export const smtpServer: Reader<string> = (raw, at) => {
  const parsed = typeof raw === 'string' ? tryUrl(raw) : null
  if (parsed === null || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '')
    throw new BadSetting('must be like smtp://mail.example.org:587 or smtps://mail.example.org', at)
  if (parsed.username !== '' || parsed.password !== '')
    throw new BadSetting('must not contain a user name or password: there are `user` and `password`', at)
  return raw as string
}

export const address: Reader<string> = (raw, at) => {
  if (typeof raw === 'string' && /^[^\s<>,;"]{1,64}@[^\s<>,;"@]{1,255}$/.test(raw)) return raw
  throw new BadSetting('must be an e-mail address such as ada@example.org', at)
}

export const listOf =
  <T>(read: Reader<T>): Reader<readonly T[]> =>
  (raw, at) => {
    if (!Array.isArray(raw) || raw.length === 0 || raw.length > MOST)
      throw new BadSetting(`must be a list of 1 to ${MOST} values`, at)
    return raw.map((one, index) => read(one, `${at}[${index}]`))
  }

/** YAML reads an id of digits as a number. */
export const id: Reader<string> = (raw, at) => {
  if (typeof raw === 'number' && Number.isSafeInteger(raw)) return String(raw)
  if (typeof raw === 'string' && /^[\w@.:-]{1,100}$/.test(raw)) return raw
  throw new BadSetting('must be an id', at)
}

/** Null: it is never quiet. */
export const quietHours: Reader<string | null> = (raw, at) => {
  if (raw === 'none') return null
  if (typeof raw === 'string' && /^([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d$/.test(raw)) return raw
  throw new BadSetting('must be like 22:00-07:00, or none', at)
}

function tryUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
