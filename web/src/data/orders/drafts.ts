// Owns what a person wrote and the daemon has not taken yet. It stays when its screen is left, and when it was refused.
import { useCallback } from 'react'
import { newKey } from '../connection/call.ts'
import { createSignal, useSignal } from '../signal.ts'

/** By whom it is for: a task, a question of one, a thread. */
const drafts = createSignal<ReadonlyMap<string, string>>(new Map())

export function useDraft(of: string): readonly [text: string, write: (text: string) => void] {
  const text = useSignal(drafts).get(of) ?? ''
  const write = useCallback((next: string) => writeDraft(of, next), [of])
  return [text, write]
}

/** By whom it is for: what was sent, and under which key. */
const keys = new Map<string, { readonly sent: string; readonly key: string }>()

/**
 * The key under which a draft is sent. Sent again as it was, because its answer was lost, it has the same one: what the
 * daemon took the first time is not done twice. Whoever writes anything meanwhile means something new.
 */
export function draftKey(of: string, body: unknown): string {
  const sent = JSON.stringify(body)
  const before = keys.get(of)
  const { key } = before?.sent === sent ? before : { key: newKey() }
  keys.set(of, { sent, key })
  return key
}

/** The daemon took `sent`. What was written since then stays. */
export function draftTaken(of: string, sent: string): void {
  keys.delete(of)
  if (drafts.get().get(of) === sent) writeDraft(of, '')
}

function writeDraft(of: string, text: string): void {
  keys.delete(of)
  const next = new Map(drafts.get())
  if (text === '') next.delete(of)
  else next.set(of, text)
  drafts.set(next)
}
