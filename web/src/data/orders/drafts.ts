// Owns what a person wrote and the daemon has not taken yet. It stays when its screen is left, and when it was refused.
import { useCallback } from 'react'
import { createSignal, useSignal } from '../signal.ts'

/** By whom it is for: a task, a question of one, a thread. */
const drafts = createSignal<ReadonlyMap<string, string>>(new Map())

export function useDraft(of: string): readonly [text: string, write: (text: string) => void] {
  const text = useSignal(drafts).get(of) ?? ''
  const write = useCallback((next: string) => writeDraft(of, next), [of])
  return [text, write]
}

/** The daemon took `sent`. What was written since then stays. */
export function draftTaken(of: string, sent: string): void {
  if (drafts.get().get(of) === sent) writeDraft(of, '')
}

function writeDraft(of: string, text: string): void {
  const next = new Map(drafts.get())
  if (text === '') next.delete(of)
  else next.set(of, text)
  drafts.set(next)
}
