// Owns removing secrets from texts before they are stored or shown: output of programs, settings, errors.

const GONE = '[redacted]'

/** Keys and tokens with a well-known form. */
const KEYS =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}|hfr1\.[\w-]+\.[\w-]+\.[\w-]+|hft1\.[\w-]{16,})/g
/** `api_key=…`, `"token": "…"`, `Authorization: Bearer …` */
const NAMED =
  /((?:api[_-]?key|access[_-]?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)(?!(?:bearer\s+|basic\s+)?\[redacted\])([^\s"',;]{4,})/gi
/** A password in a URL reaches to the last `@` before the path, because it may itself contain `@`. */
const IN_URL = /(:\/\/[^\s/@:]*:)[^\s/]+@/g
const IN_QUERY =
  /([?&][\w.-]*(?:key|token|secret|passw(?:or)?d|pwd|passphrase|signature)[\w.-]*=)[^&#\s"'\\]+/gi
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

/** Doing it twice is the same as once: what is stored may have been cleaned where it was read. */
export const redactSecrets = (text: string) =>
  text
    .replace(PEM, GONE)
    .replace(KEYS, GONE)
    .replace(IN_URL, (_, before) => `${before}${GONE}@`)
    .replace(IN_QUERY, (_, name) => `${name}${GONE}`)
    .replace(NAMED, (_, name) => `${name}${GONE}`)

/** Removes secrets from every text in a value that is shown as JSON. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(value)
  if (Array.isArray(value)) return value.map(redactDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, redactDeep(one)]))
}
