// Owns the readable output: follows its end while one stands there, and stays where one reads.
import { type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { WhyJson } from '../../../../../src/protocol/json/recovery-json.ts'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { useOutput } from '../../../data/task/follow-output.ts'
import type { OutputPart } from '../../../data/task/whole-lines.ts'
import { At } from '../../../parts/age.tsx'
import { Button } from '../../../parts/button.tsx'
import { classes } from '../../../parts/classes.ts'
import { Empty } from '../../../parts/empty.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { type LineKind, outputLines } from '../../../words/output.ts'
import { hasEnded } from '../../../words/state.ts'
import { bytes } from '../../../words/time.ts'
import { type RunStarts, runStarts, startedAt } from './run-starts.ts'

/** Nearer than this to the end counts as being there. */
const AT_END_PX = 60

export function OutputTab({
  task,
  why,
}: {
  readonly task: TaskDetailJson
  readonly why: WhyJson | undefined
}) {
  const starts = useMemo(() => runStarts(why?.story ?? []), [why?.story])
  const begun = starts.get(1)
  const { parts, loaded, refused, loadEarlier } = useOutput(task.session_id, hasEnded(task))
  const box = useRef<HTMLDivElement>(null)
  const [following, follow] = useState(true)
  const first = parts[0]?.from ?? 0
  const end = parts.at(-1)?.next ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was added is why it scrolls.
  useLayoutEffect(() => {
    if (following && box.current !== null) box.current.scrollTop = box.current.scrollHeight
  }, [following, end])

  useKeptPlace(box, first)

  if (loaded && parts.length === 0 && refused === undefined)
    return (
      <div className="p-4">
        <Empty>It has not written anything yet.</Empty>
      </div>
    )
  return (
    <div className="relative">
      <div
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so that keys must reach it.
        tabIndex={0}
        role="log"
        aria-label="Output"
        aria-live="off"
        onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
          follow(scrollHeight - scrollTop - clientHeight < AT_END_PX)
        }
        className="h-[min(46vh,720px)] overflow-auto px-4 py-3"
      >
        {first > 0 && (
          <Button kind="quiet" onClick={loadEarlier} className="mb-2">
            Load earlier output ({bytes(first)} before this)
          </Button>
        )}
        {first === 0 && begun !== undefined && parts.length > 0 && (
          <p className="mb-1 text-mut text-xs">
            Run 1 began <At at={begun} seconds />
          </p>
        )}
        {parts.map((part) => (
          <PartOf key={part.from} part={part} isLast={part.next === end} starts={starts} />
        ))}
        {refused !== undefined && <Problem refused={refused} />}
      </div>
      {!following && (
        <Button className="absolute right-4 bottom-3 shadow-lift" onClick={() => follow(true)}>
          {hasEnded(task) ? 'To the end' : 'Follow'}
        </Button>
      )}
    </div>
  )
}

/** What is loaded above leaves what one reads where it is. */
function useKeptPlace(box: RefObject<HTMLDivElement | null>, first: number): void {
  const before = useRef({ first, height: 0 })
  useLayoutEffect(() => {
    const height = box.current?.scrollHeight ?? 0
    if (first < before.current.first && box.current !== null)
      box.current.scrollTop += height - before.current.height
    before.current = { first, height }
  })
}

const KINDS: Readonly<Record<LineKind, string>> = {
  agent: '',
  told: 'text-teal',
  asks: 'text-amber',
  tool: 'text-blue',
  note: 'text-mut',
  limit: 'text-indigo',
  result: 'font-semibold',
  failed: 'text-red',
  cut: 'text-red',
  holdfast: 'text-violet',
  plain: '',
}

/** What is far from the eye is not laid out by the browser. */
function PartOf({
  part,
  isLast,
  starts,
}: {
  readonly part: OutputPart
  readonly isLast: boolean
  readonly starts: RunStarts
}) {
  const lines = useMemo(() => outputLines(part.text.replace(/\n$/, '').split('\n')), [part.text])
  return (
    <div className={classes(!isLast && '[contain-intrinsic-size:auto_2000px] [content-visibility:auto]')}>
      {lines.map((line, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a line never moves within its part.
          key={index}
          className={classes(
            'flex gap-3 font-mono text-[12.5px] leading-relaxed max-md:block',
            KINDS[line.kind],
            // On a phone a line begins with its label, and what belongs to it stands below.
            line.head !== '' && 'max-md:mt-1',
          )}
        >
          <span className="w-27 shrink-0 select-none whitespace-nowrap text-mut max-md:pr-2 max-md:empty:hidden">
            {line.head}
          </span>
          <span className="min-w-0 whitespace-pre-wrap">
            {line.text}
            <Began at={startedAt(line, starts)} />
          </span>
        </div>
      ))}
    </div>
  )
}

const Began = ({ at }: { readonly at: number | undefined }) =>
  at !== undefined && (
    <span className="ml-3 font-sans text-mut text-xs">
      <At at={at} seconds />
    </span>
  )
