// Owns how a screen holds what the daemon told it. Each resource has one writer, which asks again only when its last
// question is answered: so an older answer can never overwrite a newer one.
import { QueryClient, type QueryKey, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { isUnreached, Refused } from './call.ts'
import { live } from './live.ts'
import { serverNow } from './server-clock.ts'
import { useSignal } from './signal.ts'

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

/** What is known. `value` stays when the daemon is away: then `stale` is true, and `asOf` says how old it is. */
export type Told<Value> = {
  readonly value: Value | undefined
  /** Epoch ms by the daemon's clock. */
  readonly asOf: number | undefined
  readonly stale: boolean
  /** Why the last question was refused; undefined when it was answered. */
  readonly refused: Refused | undefined
}

type Held<Value> = { readonly value: Value; readonly asOf: number | undefined }

/** `every`: asks again after so many ms, for what no event announces. */
export function useResource<Value>(
  key: QueryKey,
  ask: () => Promise<Value>,
  options: { readonly every?: number; readonly enabled?: boolean } = {},
): Told<Value> {
  const { state } = useSignal(live)
  const { data, error } = useQuery<Held<Value>>({
    queryKey: key,
    queryFn: async () => ({ value: await ask(), asOf: serverNow() }),
    refetchInterval: options.every ?? false,
    enabled: options.enabled ?? true,
  })
  const refused = error instanceof Refused ? error : undefined
  // What was answered with a refusal is not stale: it is known to be gone. A connection that broke makes it stale.
  const stale = data !== undefined && (state === 'cut_off' || state === 'signed_out' || isUnreached(refused))
  return useMemo(() => ({ value: data?.value, asOf: data?.asOf, stale, refused }), [data, stale, refused])
}

/** Keys that changed while their question was under way: the answer may be from before the change. */
const changedMeanwhile = new Set<string>()

/** Asks again for everything whose key begins with `key`, as far as a screen shows it. */
export function refresh(key: QueryKey): void {
  for (const query of queryClient.getQueryCache().findAll({ queryKey: key })) {
    if (query.state.fetchStatus === 'fetching') changedMeanwhile.add(query.queryHash)
    else
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false })
  }
}

queryClient.getQueryCache().subscribe(({ type, query }) => {
  if (type !== 'updated' || query.state.fetchStatus === 'fetching') return
  if (changedMeanwhile.delete(query.queryHash)) queueMicrotask(() => refresh(query.queryKey))
})
