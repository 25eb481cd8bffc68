import { type RefObject, useEffect, useState } from 'react'

/** Whether an element is on the screen. */
export function useSeen(element: RefObject<Element | null>): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    if (element.current === null) return
    const watcher = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false))
    watcher.observe(element.current)
    return () => watcher.disconnect()
  }, [element])
  return seen
}
