import { errorCatalogue, HoldfastError, messageOf } from '../domain/errors.ts'

export type ErrorReport = { readonly exit: number; readonly stdout: string; readonly stderr: string }

/** What a failed command says: two lines for people on stderr, or JSON on stdout. Anything unforeseen is our bug. */
export function reportError(error: unknown, json: boolean): ErrorReport {
  const known = error instanceof HoldfastError
  const code = known ? error.code : 'INTERNAL'
  const { exit, hint } = errorCatalogue[code]
  const message = messageOf(error)
  if (json)
    return { exit, stdout: `${JSON.stringify({ error: { code, message, hint } }, null, 2)}\n`, stderr: '' }
  const [first, ...rest] = message.split('\n')
  const more = rest.map((line) => `${line}\n`).join('')
  const stack = known || !(error instanceof Error) ? '' : `${error.stack}\n`
  return { exit, stdout: '', stderr: `${stack}Error: ${first} (${code})\n${more}Try:   ${hint}\n` }
}
