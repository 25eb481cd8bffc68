// Owns the exact words that a question is about: all of them can be read before somebody agrees to them.
import { useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { classes } from '../classes.ts'

/** Lines are broken, never cut. What is too high says so, and how to see the rest. */
export function Exact({ text }: { readonly text: string }) {
  const box = useRef<HTMLPreElement>(null)
  const [all, setAll] = useState(false)
  const [isCut, setCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => setCut(element.scrollHeight > element.clientHeight + 1)
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [text, all])
  return (
    <section aria-label="Exactly">
      <pre
        ref={box}
        className={classes(
          'wrap-anywhere whitespace-pre-wrap rounded-md border border-line bg-code px-3 py-2',
          !all && 'max-h-64 overflow-hidden',
          isCut && 'rounded-b-none border-b-0',
        )}
      >
        {text}
      </pre>
      {isCut && (
        <p className="flex flex-wrap items-center gap-x-3 rounded-b-md border border-line border-t-amber bg-code px-3 py-1.5 text-amber text-sm">
          There is more below.
          <Button onClick={() => setAll(true)}>Show all of it</Button>
        </p>
      )}
    </section>
  )
}
