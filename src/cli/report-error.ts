import { errorCatalogue } from '../domain/errors/catalogue.ts'
import { HoldfastError, messageOf } from '../domain/errors.ts'
import { redactSecrets } from '../domain/text/redact-secrets.ts'
import type { ErrorJson } from '../protocol/json/error-json.ts'
import { waysOutText } from './render/text/ways-out-text.ts'

export type ErrorReport = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** What a failed command prints: two lines for people on stderr, or JSON on stdout. An error of any other class is our bug. */
export function reportError(error: unknown, json: boolean): ErrorReport {
  const known = error instanceof HoldfastError
  const code = known ? error.code : 'INTERNAL'
  const { exit, hint } = errorCatalogue[code]
  const message = redactSecrets(messageOf(error))
  const ways = known ? error.waysOut : []
  if (json) {
    const ways_out = ways.map((way) => ({ do: way.do, session_id: way.id }))
    const told: ErrorJson = { code, message, hint, ways_out }
    return { exit, stdout: `${JSON.stringify({ error: told }, null, 2)}\n`, stderr: '' }
  }
  const [first, ...rest] = message.split('\n')
  const more = rest.map((line) => `${line}\n`).join('')
  const stack = known || !(error instanceof Error) ? '' : `${redactSecrets(error.stack ?? '')}\n`
  const toTry = ways.length > 0 ? `${waysOutText(ways)}.` : hint
  const stderr = `${stack}Error: ${first} (${code})\n${more}Try:   ${toTry}\n`
  return { exit, stdout: '', stderr: stderr.replace(CONTROLS_TERMINAL, '?') }
}

/** Whoever writes a message should make it printable. This is for the one that forgot: a message may quote what an agent wrote. */
const CONTROLS_TERMINAL = /[^\P{Cc}\n\t]/gu
