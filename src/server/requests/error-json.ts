import { errorCatalogue, type HoldfastError } from '../../domain/errors.ts'
import { redactSecrets } from '../../domain/text/redact-secrets.ts'
import type { ErrorJson } from '../../protocol/api.ts'
import type { BulkFailureJson } from '../../protocol/bulk-json.ts'

/** An error as every surface gets it. */
export const errorJson = (error: HoldfastError): ErrorJson => ({
  code: error.code,
  message: redactSecrets(error.message),
  hint: errorCatalogue[error.code].hint,
  ways_out: error.waysOut.map((way) => ({ do: way.do, session_id: way.id })),
})

/** One of many sessions for which an order failed. */
export function bulkFailureJson(session_id: string, error: HoldfastError): BulkFailureJson {
  const { hint: _, ...told } = errorJson(error)
  return { session_id, ...told }
}
