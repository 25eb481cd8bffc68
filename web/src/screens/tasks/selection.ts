// Owns which tasks are chosen for an order to many.
import { useCallback, useEffect, useState } from 'react'
import { listen } from '../../data/connection/live.ts'

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
  // An order for several is refused as a whole when one of them does not exist.
  useEffect(
    () =>
      listen({
        event: ({ kind, task }) => {
          if (kind === 'task_removed') setIds((before) => new Set([...before].filter((id) => id !== task)))
        },
        missed: () => {},
      }),
    [],
  )
  const set = useCallback((chosen: readonly string[]) => setIds(new Set(chosen)), [])
  return { ids, toggle, set }
}
