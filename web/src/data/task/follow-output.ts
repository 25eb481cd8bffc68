// Owns following the output of a task: its end, earlier parts on request, and what is added. Only a part is held: an
// output of 100 MB costs the page no more than a small one.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Refused } from '../connection/call.ts'
import { added, PART_BYTES } from './held-parts.ts'
import { readBefore, readEnd, readOn } from './output.ts'
import type { OutputPart } from './whole-lines.ts'

const LOOK_AGAIN_MS = 1000

export type FollowedOutput = {
  /** Neighbours, oldest first. */
  readonly parts: readonly OutputPart[]
  readonly loaded: boolean
  readonly refused: Refused | undefined
  readonly loadEarlier: () => Promise<void>
}

export function useOutput(id: string, isOver: boolean): FollowedOutput {
  const [parts, setParts] = useState<readonly OutputPart[]>([])
  const [loaded, setLoaded] = useState(false)
  const [refused, setRefused] = useState<Refused>()
  /** The byte after what was read last. */
  const next = useRef<number>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is why it begins anew.
  useEffect(() => {
    next.current = undefined
    setParts([])
    setLoaded(false)
  }, [id])
  // That a task ends, or goes on after its end, leaves what was read where it is.
  useEffect(() => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout>
    const look = async () => {
      const more = document.hidden
        ? undefined
        : await readMore(id, next.current, stop.signal).catch(troubleOf)
      if (stop.signal.aborted) return
      setRefused(more instanceof Refused ? more : undefined)
      if (more !== undefined && !(more instanceof Refused)) {
        next.current = more.next
        setLoaded(true)
        if (more.text !== '') setParts((known) => added(known, more))
      }
      const isFull = more !== undefined && !(more instanceof Refused) && more.isFull
      const isRead = isOver && more !== undefined && !(more instanceof Refused) && more.text === ''
      if (!isRead) timer = setTimeout(look, isFull ? 0 : LOOK_AGAIN_MS)
    }
    void look()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [id, isOver])

  const first = parts[0]?.from ?? 0
  const loadEarlier = useCallback(async () => {
    if (first === 0) return
    const earlier = await readBefore(id, first, PART_BYTES).catch(troubleOf)
    if (earlier instanceof Refused) return setRefused(earlier)
    if (earlier !== undefined) setParts((known) => (known[0]?.from === first ? [earlier, ...known] : known))
  }, [id, first])

  return { parts, loaded, refused, loadEarlier }
}

const readMore = (id: string, next: number | undefined, signal: AbortSignal) =>
  next === undefined ? readEnd(id, PART_BYTES, signal) : readOn(id, next, PART_BYTES, signal)

function troubleOf(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  if (error instanceof DOMException && error.name === 'AbortError') return undefined
  throw error
}
