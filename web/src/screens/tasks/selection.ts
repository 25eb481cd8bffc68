// Owns which tasks are chosen for an order to many.
import { useCallback, useEffect, useState } from 'react'
import { listen } from '../../data/connection/live.ts'

export type Selection = {
  readonly ids: ReadonlySet<string>
  readonly toggle: (id: string) => void
  readonly set: (ids: readonly string[]) => void
}

const NONE: ReadonlySet<string> = new Set()

/** `among`: what the list shows. With another list nothing is chosen, so that an order reaches only what can be seen. */
export function useSelection(among: string): Selection {
  const [ids, setIds] = useState(NONE)
  const [chosenAmong, setChosenAmong] = useState(among)
  if (chosenAmong !== among) {
    setChosenAmong(among)
    setIds(NONE)
  }
  const toggle = useCallback(
    (id: string) => setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    [],
  )
  // An order for several is refused as a whole when one of them does not exist.
  useEffect(
    () =>
      listen({
        event: ({ kind, task }) => {
          if (kind === 'task_removed') setIds((before) => without(before, task))
        },
        missed: () => {},
      }),
    [],
  )
  const set = useCallback((chosen: readonly string[]) => setIds(new Set(chosen)), [])
  return { ids, toggle, set }
}

const without = (ids: ReadonlySet<string>, gone: string | null) =>
  new Set([...ids].filter((id) => id !== gone))
