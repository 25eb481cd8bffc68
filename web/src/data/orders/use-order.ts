// Owns a button's order to the daemon: under way, refused, or done.
import { useCallback, useState } from 'react'
import { Refused } from '../connection/call.ts'

export type Ordering<Arguments extends unknown[]> = {
  readonly busy: boolean
  /** Why the last one was refused. */
  readonly refused: Refused | undefined
  /** True when it was carried out. */
  readonly give: (...given: Arguments) => Promise<boolean>
}

/** What changes by the order comes back over the live stream: the answer itself is written nowhere. */
export function useOrder<Arguments extends unknown[]>(
  give: (...given: Arguments) => Promise<unknown>,
): Ordering<Arguments> {
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  const run = useCallback(
    async (...given: Arguments) => {
      setBusy(true)
      setRefused(undefined)
      try {
        await give(...given)
        return true
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        setRefused(error)
        return false
      } finally {
        setBusy(false)
      }
    },
    [give],
  )
  return { busy, refused, give: run }
}
