// Owns the keys by which clients know their requests again.
import type { TaskId } from '../../domain/names/ids.ts'

/** A key is the caller's own, and one of its route. */
export type RequestName = { readonly createdBy: string; readonly route: string; readonly key: string }

/** `digest`: of all that is asked for, without the environment. */
export type RequestKey = RequestName & { readonly digest: string }

/** A request that was carried out. It is forgotten with its task. */
export type KeyedRequest = RequestKey & {
  readonly taskId: TaskId | null
  /** What its answer needs to know beside the task; each route says what that is. */
  readonly made: string
  readonly at: number
}

export interface RequestKeyReads {
  requestWithKey(name: RequestName): Promise<KeyedRequest | undefined>
}
