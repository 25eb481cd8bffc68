// Owns the form of a run's token: `hfr1.<key>.<claims>.<signature>`, signed by HMAC-SHA256.
import { createHmac } from 'node:crypto'
import { HoldfastError } from '../../domain/errors.ts'
import { asRunId, asTaskId, type RunId, type TaskId } from '../../domain/names/ids.ts'
import type { TokenClaims } from '../../domain/run/token-claims.ts'
import type { Clock } from '../../ports/clock.ts'
import type { RunTokens } from '../../ports/run/run-tokens.ts'
import { isSame } from './is-same.ts'
import { TokenKeys } from './token-keys.ts'

const FORM = 'hfr1'
/** Longer is no token of ours. */
const LONGEST = 2048

type Options = {
  readonly keyFile: string
  readonly clock: Pick<Clock, 'now'>
  readonly lifetimeMs: number
  /** The id of this home. */
  readonly home: string
}

export class SignedTokens implements RunTokens {
  readonly #options: Options
  readonly #keys: TokenKeys

  constructor(options: Options) {
    this.#options = options
    this.#keys = new TokenKeys({ ...options, path: options.keyFile })
  }

  async issue(run: RunId, task: TaskId): Promise<{ text: string; expires: number }> {
    const { clock, home, lifetimeMs } = this.#options
    const key = await this.#keys.signing()
    const issued = clock.now()
    const claims: TokenClaims = { run, task, home, issued, expires: issued + lifetimeMs }
    const signed = `${FORM}.${key.id}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
    return { text: `${signed}.${signature(signed, key.secret)}`, expires: claims.expires }
  }

  read(token: string): TokenClaims {
    const claims = this.#claims(token)
    if (claims.home !== this.#options.home) throw invalid('The token was signed for another home.')
    return claims
  }

  #claims(token: string): TokenClaims {
    const [form, keyId = '', claims = '', given = '', ...more] = token.split('.')
    const key = this.#keys.find(keyId)
    if (token.length > LONGEST || form !== FORM || more.length > 0 || key === undefined)
      throw invalid('The token was not signed by this home.')
    if (!isSame(given, signature(`${form}.${keyId}.${claims}`, key.secret)))
      throw invalid('The signature of the token is wrong.')
    return claimsIn(claims)
  }
}

const signature = (text: string, secret: string) =>
  createHmac('sha256', Buffer.from(secret, 'hex')).update(text).digest('base64url')

/** They were signed by us. Another version of us may have had other fields. */
function claimsIn(text: string): TokenClaims {
  const { run, task, home, issued, expires } = Object(
    JSON.parse(Buffer.from(text, 'base64url').toString()),
  ) as Record<string, unknown>
  const areTexts = [run, task, home].every((one) => typeof one === 'string')
  if (!areTexts || typeof issued !== 'number' || typeof expires !== 'number')
    throw invalid('The token is of another version of Holdfast.')
  return { run: asRunId(String(run)), task: asTaskId(String(task)), home: String(home), issued, expires }
}

const invalid = (message: string) => new HoldfastError('TOKEN_INVALID', message)
