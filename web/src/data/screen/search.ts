// Owns filters in the address: they survive a reload, and can be sent to a colleague.
import { useSearchParams } from 'wouter'

export type Search = {
  readonly get: (name: string) => string
  /** Sets or, with an empty text, removes; the others stay. */
  readonly set: (changes: Readonly<Record<string, string>>) => void
}

export function useSearch(): Search {
  const [params, setParams] = useSearchParams()
  return {
    get: (name) => params.get(name) ?? '',
    set: (changes) =>
      setParams(
        (before) => {
          const after = new URLSearchParams(before)
          for (const [name, value] of Object.entries(changes))
            if (value === '') after.delete(name)
            else after.set(name, value)
          return after
        },
        { replace: true },
      ),
  }
}
