// Owns asking for more of what a screen holds: while the wider answer is under way, what is known stays on the screen.
import { hashKey, type QueryKey } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { refresh } from './resource.ts'

/** `reach`: how much the resource's question asks for now. To be called after `useResource` with the same key. */
export function useAskedWhenWider(key: QueryKey, reach: number): void {
  const name = hashKey(key)
  const asked = useRef({ name, reach })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key.
  useEffect(() => {
    const isWider = asked.current.name === name && asked.current.reach !== reach
    asked.current = { name, reach }
    if (isWider) refresh(key)
  }, [name, reach])
}
