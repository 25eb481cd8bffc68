// Owns taking secrets out of what a program printed before it is kept or told to anybody.

const GONE = '[redacted]'

/** Well-known shapes of keys. */
const KEYS =
  /\b(sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|xox[abeprs]-[\w-]{10,}|AKIA[A-Z0-9]{16}|AIza[\w-]{30,}|eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,})/g
/** `api_key=…`, `"token": "…"`, `Authorization: Bearer …` */
const NAMED =
  /((?:api[_-]?key|access[_-]?key|token|secret|password|passwd|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)([^\s"',;]{4,})/gi
const IN_URL = /(:\/\/[^\s/@:]*:)[^\s/@]+@/g
const PEM = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g

export const redactSecrets = (text: string) =>
  text
    .replace(PEM, GONE)
    .replace(KEYS, GONE)
    .replace(NAMED, (_, name) => `${name}${GONE}`)
    .replace(IN_URL, (_, before) => `${before}${GONE}@`)
