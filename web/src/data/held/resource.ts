// Owns how a screen holds what the daemon told it. Each resource has one writer, which asks again only when its last
// question is answered: so an older answer can never overwrite a newer one.
import { hashKey, QueryClient, type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { isUnanswered, Refused } from '../connection/call.ts'
import { live } from '../connection/live.ts'
import { serverNow } from '../connection/server-clock.ts'
import { createSignal, useSignal } from '../signal.ts'
import { createRests } from './rests.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // The browser's idea of being online says nothing about a daemon on this machine.
      networkMode: 'always',
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    },
  },
})

/** What the page knows of one resource. `value` stays when the daemon is away: then `stale` is true, and `asOf` says how old it is. */
export type Known<Value> = {
  readonly value: Value | undefined
  /** Epoch ms by the daemon's clock. */
  readonly asOf: number | undefined
  readonly stale: boolean
  /** Why the last question was refused; undefined when it was answered. */
  readonly refused: Refused | undefined
}

type Held<Value> = { readonly value: Value; readonly asOf: number | undefined }

export type ResourceOptions = {
  /** Asks again after so many ms, for what no event announces. */
  readonly every?: number
  readonly enabled?: boolean
  /** The daemon has to work for the answer: it is left alone for longer afterwards. */
  readonly costly?: boolean
}

/** So many times as long as its answer took, a question rests: at most a third, or a twentieth, of a core is for it. */
const REST_TIMES = 2
const REST_TIMES_COSTLY = 20
/** What was not answered is asked again after so long: no event tells when it can be. */
const RETRY_MS = 3000

const rests = createRests({ now: () => performance.now(), after: (ms, then) => void setTimeout(then, ms) })

export function useResource<Value>(
  key: QueryKey,
  ask: () => Promise<Value>,
  { every, enabled = true, costly = false }: ResourceOptions = {},
): Known<Value> {
  const { state } = useSignal(live)
  const { data, error } = useQuery<Held<Value>>({
    queryKey: key,
    queryFn: async ({ queryKey }) => {
      const answered = rests.asked(hashKey(queryKey), costly ? REST_TIMES_COSTLY : REST_TIMES)
      try {
        return { value: await ask(), asOf: serverNow() }
      } finally {
        answered()
      }
    },
    enabled,
  })
  const refused = error instanceof Refused ? error : undefined
  const unanswered = isUnanswered(refused)
  useAskedAgain(key, !enabled ? undefined : unanswered ? RETRY_MS : every)
  // What was answered with a refusal is not stale: it is known to be gone.
  const stale = data !== undefined && (state === 'cut_off' || state === 'signed_out' || unanswered)
  return useMemo(() => ({ value: data?.value, asOf: data?.asOf, stale, refused }), [data, stale, refused])
}

/** While somebody looks. */
function useAskedAgain(key: QueryKey, ms: number | undefined): void {
  const name = hashKey(key)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key.
  useEffect(() => {
    if (ms === undefined) return
    const timer = setInterval(() => !document.hidden && !isUnderWay(key) && refresh(key), ms)
    return () => clearInterval(timer)
  }, [name, ms])
}

const isUnderWay = (key: QueryKey) => queryClient.getQueryState(key)?.fetchStatus === 'fetching'

/** Keys that changed while their question was under way: the answer may be from before the change. */
const changedMeanwhile = new Set<string>()

/** Asks again for everything whose key begins with `key`, as far as a screen shows it. */
export function refresh(key: QueryKey): void {
  for (const { queryHash, queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: key })) {
    if (state.fetchStatus === 'fetching') changedMeanwhile.add(queryHash)
    else rests.whenRested(queryHash, () => askAgain(queryKey))
  }
}

const askAgain = (queryKey: QueryKey) =>
  void queryClient.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false })

/** What keeps the daemon from answering what is on the screen, in its own words; undefined while it answers. */
export const trouble = createSignal<Refused | undefined>(undefined)

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' && type !== 'observerRemoved') return
  trouble.set(troubleOnScreen())
  if (type !== 'updated' || query.state.fetchStatus === 'fetching') return
  if (changedMeanwhile.delete(query.queryHash)) queueMicrotask(() => refresh(query.queryKey))
})

/** Of several the first one known stays: a sentence that changes all the time cannot be read. */
function troubleOnScreen(): Refused | undefined {
  const errors = queryClient
    .getQueryCache()
    .findAll({ type: 'active' })
    .map(({ state }) => state.error)
    .filter((error) => error instanceof Refused && isUnanswered(error) && error.status !== 0) as Refused[]
  const known = trouble.get()
  return errors.find(({ message }) => message === known?.message) === undefined ? errors[0] : known
}
