// Owns following the output of a task: its end, earlier parts on request, and what is added. Only a part is held: an
// output of 100 MB costs the page no more than a small one.
import { useCallback, useEffect, useRef, useState } from 'react'
import { Refused } from '../connection/call.ts'
import { type OutputPart, readOutput } from './output.ts'

export const PART_BYTES = 96 * 1024
/** Parts held while following; earlier ones are let go, and can be loaded again. */
const MOST_PARTS = 24
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

  const next = useRef(-PART_BYTES)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another task is why it begins anew.
  useEffect(() => {
    next.current = -PART_BYTES
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
        : await readOutput(id, next.current, PART_BYTES, stop.signal).catch(troubleOf)
      if (stop.signal.aborted) return
      setRefused(more instanceof Refused ? more : undefined)
      if (more !== undefined && !(more instanceof Refused)) {
        next.current = more.next
        setLoaded(true)
        if (more.text !== '') setParts((known) => added(known, more))
      }
      const isFull = more !== undefined && !(more instanceof Refused) && more.next - more.from >= PART_BYTES
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
    const from = Math.max(0, first - PART_BYTES)
    const earlier = await readOutput(id, from, first - from).catch(troubleOf)
    if (earlier instanceof Refused) return setRefused(earlier)
    if (earlier !== undefined) setParts((known) => (known[0]?.from === first ? [earlier, ...known] : known))
  }, [id, first])

  return { parts, loaded, refused, loadEarlier }
}

/** Small additions go to the last part, so that a slow trickle makes no thousand parts. */
function added(known: readonly OutputPart[], more: OutputPart): readonly OutputPart[] {
  const last = known.at(-1)
  if (last === undefined) return [more]
  if (more.from !== last.next) return [more]
  if (last.next - last.from < PART_BYTES)
    return [...known.slice(0, -1), { text: last.text + more.text, from: last.from, next: more.next }]
  return [...known, more].slice(-MOST_PARTS)
}

function troubleOf(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error
  if (error instanceof DOMException && error.name === 'AbortError') return undefined
  throw error
}
