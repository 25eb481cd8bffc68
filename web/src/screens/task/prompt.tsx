// Owns what the task is about in its own words: the prompt that it was given at its start.
import { useLayoutEffect, useRef, useState } from 'react'
import type { TaskDetailJson } from '../../../../src/protocol/json/task-json.ts'
import { usePrompt } from '../../data/task/task.ts'
import { classes } from '../../parts/classes.ts'

/** Two lines of it, and the rest on request. Where it says no more than the title, it is not said twice. */
export function Prompt({ task }: { readonly task: TaskDetailJson }) {
  const text = usePrompt(task.session_id).value?.prompt.trim() ?? ''
  const box = useRef<HTMLParagraphElement>(null)
  const [all, setAll] = useState(false)
  const [isCut, setCut] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another height.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null || all) return
    const look = () => setCut(element.scrollHeight > element.clientHeight + 1)
    look()
    const watcher = new ResizeObserver(look)
    watcher.observe(element)
    return () => watcher.disconnect()
  }, [text, all])
  if (text === '' || text === task.title) return null
  return (
    <section aria-label="Prompt" className="-mt-3 border-line border-l-2 pl-3">
      <p
        ref={box}
        className={classes('whitespace-pre-wrap', all ? 'max-h-[50vh] overflow-auto' : 'line-clamp-2')}
      >
        {text}
      </p>
      {(isCut || all) && (
        <button type="button" className="text-accent text-sm hover:underline" onClick={() => setAll(!all)}>
          {all ? 'Show less' : 'Show the whole prompt'}
        </button>
      )}
    </section>
  )
}
