// Owns a value that screens follow.
import { useSyncExternalStore } from 'react'

export type Signal<Value> = {
  readonly get: () => Value
  readonly set: (value: Value) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createSignal<Value>(first: Value): Signal<Value> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useSignal = <Value>({ subscribe, get }: Signal<Value>): Value =>
  useSyncExternalStore(subscribe, get)
