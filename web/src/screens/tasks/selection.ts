// Owns which tasks are chosen for an order to many.
import { useCallback, useState } from 'react'

export type Selection = {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  readonly set: (ids: readonly string[]) => void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (id: string) =>
      setIds((before) => {
        const next = new Set(before)
        if (!next.delete(id)) next.add(id)
        return next
      }),
    [],
  )
  const set = useCallback((chosen: readonly string[]) => setIds(new Set(chosen)), [])
  return { ids, toggle, set }
}
