import { errorCatalogue } from '../../domain/errors/catalogue.ts'
import type { HoldfastError } from '../../domain/errors.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { BulkFailureJson } from '../../protocol/json/bulk-json.ts'
import type { ErrorJson } from '../../protocol/json/error-json.ts'

/** An error as clients get it, without secrets. */
export const errorJson = (error: HoldfastError): ErrorJson => ({
  code: error.code,
  message: redactSecrets(error.message),
  hint: errorCatalogue[error.code].hint,
  ways_out: error.waysOut.map((way) => ({ do: way.do, session_id: way.id })),
})

/** The failure of one session in an order for many. */
export function bulkFailureJson(session_id: string, error: HoldfastError): BulkFailureJson {
  const { hint: _, ...told } = errorJson(error)
  return { session_id, ...told }
}
