// Owns requests that come again with their key: each is carried out once, and answered with what was made then.
import { HoldfastError } from '../../domain/errors.ts'
import { printable } from '../../domain/names/names.ts'
import type { Change } from '../../ports/store/commits.ts'
import type { KeyedRequest, RequestKey, RequestKeyReads } from '../../ports/store/request-keys.ts'
import type { Reads } from '../../ports/store/store.ts'

type Ways<Made> = {
  /** Must commit `withKey` together with what it makes. */
  readonly make: () => Promise<Made>
  readonly madeBefore: (known: KeyedRequest) => Promise<Made>
}

/** Without a key it is made. KEY_REUSED when the caller asked for something else with this key. */
export async function oncePerKey<Made>(
  asked: RequestKey | undefined,
  { make, madeBefore }: Ways<Made>,
  core: Reads<RequestKeyReads>,
): Promise<Made> {
  if (asked === undefined) return await make()
  const known = await carriedOut(asked, core)
  if (known !== undefined) return await madeBefore(known)
  try {
    return await make()
  } catch (error) {
    // The same request may have come twice at once.
    const meanwhile = await carriedOut(asked, core)
    if (meanwhile === undefined) throw error
    return await madeBefore(meanwhile)
  }
}

/** The part of a change that remembers the request; nothing when it has no key. */
export const withKey = (
  asked: RequestKey | undefined,
  { taskId = null, made = '', at }: Partial<KeyedRequest> & Pick<KeyedRequest, 'at'>,
): Pick<Change, 'requestKey'> => (asked === undefined ? {} : { requestKey: { ...asked, taskId, made, at } })

async function carriedOut(
  asked: RequestKey,
  { store }: Reads<RequestKeyReads>,
): Promise<KeyedRequest | undefined> {
  const known = await store.requestWithKey(asked)
  if (known === undefined || known.digest === asked.digest) return known
  throw new HoldfastError(
    'KEY_REUSED',
    `The key '${printable(asked.key)}' was used for another request${known.taskId === null ? '' : ` (session ${known.taskId})`}.`,
  )
}
