// Owns removing secrets from texts before they are stored or shown: output of programs, settings, errors. Agents choose these
// texts: no pattern may take longer than in proportion to their length.

const GONE = '[redacted]'

/** Keys and tokens with a well-known form. */
const KEYS =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|hfr1\.[\w-]+\.[\w-]+\.[\w-]+|hft1\.[\w-]{16,})/g
/** Three parts with dots between them. What stands before it is read once, and not from each of its places on. */
const MAYBE_JWT = /(?<![\w-])([\w-]+)\.[\w-]{8,}\.[\w-]{8,}/g
const JWT_BEGINS = /\beyJ[\w-]{8}/
/** `api_key=…`, `"token": "…"`, `Authorization: Bearer …` */
const NAMED =
  /((?:api[_-]?key|access[_-]?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)(?!(?:bearer\s+|basic\s+)?\[redacted\])([^\s"',;]{4,})/gi
/** A password in a URL reaches to the last `@` before the path, because it may itself contain `@`. */
const IN_URL = /(:\/\/[^\s/@:]*:)[^\s/]+@/g
const IN_QUERY = /([?&])([\w.-]+)=[^&#\s"'\\]+/g
const SECRET_FIELD = /key|token|secret|passw(?:or)?d|pwd|passphrase|signature/i
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** Doing it twice is the same as once: what is stored may have been cleaned where it was read. */
export const redactSecrets = (text: string) =>
  text
    .replace(PEM, GONE)
    .replace(KEYS, GONE)
    .replace(MAYBE_JWT, withoutJwt)
    .replace(IN_URL, (_, before) => `${before}${GONE}@`)
    .replace(IN_QUERY, (all, before, name) => (SECRET_FIELD.test(name) ? `${before}${name}=${GONE}` : all))
    .replace(NAMED, (_, name) => `${name}${GONE}`)

function withoutJwt(all: string, first: string): string {
  const at = first.search(JWT_BEGINS)
  return at < 0 ? all : `${all.slice(0, at)}${GONE}`
}

/** Removes secrets from every text in a value that is shown as JSON. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map(redactDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactDeep(one)]))
}
