// Owns who may ask over TCP: one-time codes in memory, and hashes of cookies and tokens in a file of mode 0600.
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { HoldfastError } from '../../domain/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RequestKey } from '../../ports/store/request-keys.ts'
import type { WebKeys, WebPass, WebToken } from '../../ports/web-keys.ts'
import { readKeyFile } from '../disk/read-key-file.ts'
import { replaceFile } from '../disk/replace-file.ts'

const CODE_LIFETIME_MS = 2 * 60_000
const COOKIE_LIFETIME_MS = 30 * 86_400_000
/** More links than anybody opens; the oldest go first. */
const MOST_CODES = 100
const MOST_PAGES = 200

/** `hash`: SHA-256 of the secret, which is random: nothing slower is needed. */
type StoredKey = {
  readonly kind: WebPass['kind']
  readonly hash: string
  readonly name: string
  readonly madeAt: number
  readonly madeBy: string
  readonly expiresAt: number | null
  /** Of a token that was asked for with a key. `name`: hash of the key. */
  readonly request?: { readonly name: string; readonly digest: string; readonly salt: string }
}

type Code = { readonly by: string; readonly expiresAt: number }
type Options = { readonly path: string; readonly clock: Pick<Clock, 'now'> }

export class FileWebKeys implements WebKeys {
  readonly cookieSeconds = COOKIE_LIFETIME_MS / 1000
  readonly #options: Options
  /** By the hash of the code. */
  readonly #codes = new Map<string, Code>()
  #keys: readonly StoredKey[]

  constructor(options: Options) {
    this.#options = options
    // No keys let nobody in.
    this.#keys = readKeyFile(options.path, isKey)
  }

  newCode(by: string): { code: string; expiresAt: number } {
    const now = this.#options.clock.now()
    for (const [hash, { expiresAt }] of this.#codes) if (expiresAt <= now) this.#codes.delete(hash)
    const [oldest] = this.#codes.keys()
    if (this.#codes.size >= MOST_CODES && oldest !== undefined) this.#codes.delete(oldest)
    const code = newSecret()
    const expiresAt = now + CODE_LIFETIME_MS
    this.#codes.set(hashOf(code), { by, expiresAt })
    return { code, expiresAt }
  }

  async redeem(code: string): Promise<{ secret: string; name: string } | undefined> {
    const now = this.#options.clock.now()
    const hash = hashOf(code)
    const found = this.#codes.get(hash)
    this.#codes.delete(hash)
    if (found === undefined || found.expiresAt <= now) return undefined
    const secret = newSecret()
    const pages = this.#valid('page').slice(-(MOST_PAGES - 1))
    const page: StoredKey = {
      kind: 'page',
      hash: hashOf(secret),
      name: found.by,
      madeAt: now,
      madeBy: found.by,
      expiresAt: now + COOKIE_LIFETIME_MS,
    }
    await this.#write([...this.#keys.filter(({ kind }) => kind === 'token'), ...pages, page])
    return { secret, name: found.by }
  }

  passOf(kind: WebPass['kind'], secret: string): WebPass | undefined {
    const hash = hashOf(secret)
    const found = this.#valid(kind).find((key) => key.hash === hash)
    return found && { kind, id: found.hash.slice(0, 16), name: found.name }
  }

  async makeToken(
    name: string,
    by: string,
    expiresAt: number | null,
    key?: RequestKey,
  ): Promise<{ token: WebToken; secret: string; isNew: boolean }> {
    const before = key && this.#madeWith(key)
    if (before !== undefined) return { ...before, isNew: false }
    if (this.#valid('token').some((token) => token.name === name))
      throw new HoldfastError('WEB_TOKEN_EXISTS', `There is already a token '${name}'.`)
    const salt = newSecret()
    const secret = key === undefined ? `hft1.${newSecret()}` : secretOf(salt, key)
    const madeAt = this.#options.clock.now()
    const token: StoredKey = {
      kind: 'token',
      hash: hashOf(secret),
      name,
      madeAt,
      madeBy: by,
      expiresAt,
      ...(key && { request: { name: requestHash(key), digest: key.digest, salt } }),
    }
    await this.#write([...this.#keys.filter((key) => key.kind !== 'token' || key.name !== name), token])
    return { token: tokenOf(token), secret, isNew: true }
  }

  /** The token that was made with this key, while there is one. */
  #madeWith(key: RequestKey): { token: WebToken; secret: string } | undefined {
    const found = this.#keys.find(({ request }) => request?.name === requestHash(key))
    if (found?.request === undefined) return undefined
    if (found.request.digest !== key.digest)
      throw new HoldfastError('KEY_REUSED', `The token '${found.name}' was made with this key.`)
    return { token: tokenOf(found), secret: secretOf(found.request.salt, key) }
  }

  tokens(): readonly WebToken[] {
    return this.#keys.filter(({ kind }) => kind === 'token').map(tokenOf)
  }

  async revokeToken(name: string): Promise<WebToken> {
    const isIt = (key: StoredKey) => key.kind === 'token' && key.name === name
    const found = this.#keys.find(isIt)
    if (found === undefined) throw new HoldfastError('WEB_TOKEN_NOT_FOUND', `There is no token '${name}'.`)
    await this.#write(this.#keys.filter((key) => !isIt(key)))
    return tokenOf(found)
  }

  async revokePages(): Promise<number> {
    const pages = this.#keys.filter(({ kind }) => kind === 'page')
    if (pages.length > 0) await this.#write(this.#keys.filter(({ kind }) => kind !== 'page'))
    return pages.length
  }

  #valid(kind: WebPass['kind']): readonly StoredKey[] {
    const now = this.#options.clock.now()
    return this.#keys.filter((key) => key.kind === kind && (key.expiresAt === null || key.expiresAt > now))
  }

  /**
   * Nobody is answered before it is on disk: who was let in is also let in by the next daemon, and who was shut out is
   * not. Of two changes at once the second builds on the first.
   */
  async #write(keys: readonly StoredKey[]): Promise<void> {
    const before = this.#keys
    this.#keys = keys
    try {
      await replaceFile(this.#options.path, `${JSON.stringify({ keys }, null, 2)}\n`, { durable: true })
    } catch (error) {
      if (this.#keys === keys) this.#keys = before
      throw error
    }
  }
}

/** Known only with the key of the request, which is not stored: so the one who asked can be told again what nobody kept. */
const secretOf = (salt: string, { createdBy, key }: RequestKey) =>
  `hft1.${createHmac('sha256', salt)
    .update(JSON.stringify([createdBy, key]))
    .digest('base64url')}`
const requestHash = ({ createdBy, route, key }: RequestKey) => hashOf(JSON.stringify([createdBy, route, key]))
const newSecret = () => randomBytes(32).toString('base64url')
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const tokenOf = ({ name, madeAt, madeBy, expiresAt }: StoredKey): WebToken => ({
  name,
  madeAt,
  madeBy,
  expiresAt,
})

function isKey(value: unknown): value is StoredKey {
  const { kind, hash, name, madeAt, madeBy, expiresAt, request } = Object(value) as Record<string, unknown>
  return (
    (kind === 'page' || kind === 'token') &&
    /^[0-9a-f]{64}$/.test(String(hash)) &&
    [name, madeBy].every((one) => typeof one === 'string') &&
    typeof madeAt === 'number' &&
    (expiresAt === null || typeof expiresAt === 'number') &&
    (request === undefined || isRequest(request))
  )
}

function isRequest(value: unknown): boolean {
  const { name, digest, salt } = Object(value) as Record<string, unknown>
  return [name, digest, salt].every((one) => typeof one === 'string')
}
