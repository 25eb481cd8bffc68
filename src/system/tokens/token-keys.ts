// Owns the keys that tokens are signed with: a file of mode 0600 in the home, written by the one daemon of that home.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import { readKeyFile } from '../disk/read-key-file.ts'
import { replaceFile } from '../disk/replace-file.ts'

/** `retired`: epoch ms since when a newer key signs; null for the one that signs. */
export type TokenKey = {
  readonly id: string
  readonly secret: string
  readonly made: number
  readonly retired: number | null
}

/** A key signs for a day. What it signed stays valid until it expires. */
const SIGNS_FOR_MS = 24 * 3_600_000
const KEY_ID = /^[0-9a-f]{16}$/
const SECRET = /^[0-9a-f]{64}$/

type Options = {
  readonly path: string
  readonly clock: Pick<Clock, 'now'>
  /** The longest time for which a token is valid. */
  readonly lifetimeMs: number
}

export class TokenKeys {
  readonly #options: Options
  #keys: readonly TokenKey[]

  constructor(options: Options) {
    this.#options = options
    // Without keys new ones are made, and all tokens are issued anew.
    this.#keys = readKeyFile(options.path, isKey)
  }

  find(id: string): TokenKey | undefined {
    return this.#keys.find((key) => key.id === id)
  }

  /** The key to sign with. It is on disk before anything is signed with it, so that the next daemon knows it, too. */
  async signing(): Promise<TokenKey> {
    const now = this.#options.clock.now()
    const current = this.#keys.find(({ retired }) => retired === null)
    if (current !== undefined && this.#maySign(current, now)) return current
    const fresh = {
      id: randomBytes(8).toString('hex'),
      secret: randomBytes(32).toString('hex'),
      made: now,
      retired: null,
    }
    const others = this.#keys.map((key) => (key.retired === null ? { ...key, retired: now } : key))
    const keys = [fresh, ...others.filter((key) => this.#mayHaveValidTokens(key, now))]
    await replaceFile(this.#options.path, `${JSON.stringify({ keys }, null, 2)}\n`, { durable: true })
    this.#keys = keys
    return fresh
  }

  /** One that was made in the future is replaced, too: the clock was set back, and nobody knows how old it is. */
  #maySign({ made }: TokenKey, now: number): boolean {
    const age = now - made
    return age < SIGNS_FOR_MS && age > -this.#options.lifetimeMs
  }

  #mayHaveValidTokens({ retired }: TokenKey, now: number): boolean {
    return retired === null || Math.abs(now - retired) <= this.#options.lifetimeMs
  }
}

function isKey(value: unknown): value is TokenKey {
  const { id, secret, made, retired } = Object(value) as Record<string, unknown>
  const isTime = (time: unknown) => typeof time === 'number' && Number.isFinite(time)
  return (
    KEY_ID.test(String(id)) &&
    SECRET.test(String(secret)) &&
    isTime(made) &&
    (retired === null || isTime(retired))
  )
}
