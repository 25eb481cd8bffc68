// Owns the messages of a thread: the last ones, earlier ones on request. Whoever has seen the end is done with them.
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { MessageJson, ThreadDetailJson } from '../../../../src/protocol/json/thread-json.ts'
import type { Known } from '../../data/held/resource.ts'
import { haveRead, MESSAGES_PER_PAGE } from '../../data/installation/threads.ts'
import { At } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Chip } from '../../parts/chip.tsx'
import { Stale } from '../../parts/stale.tsx'
import type { StateWord } from '../../words/state.ts'
import { timeOf } from '../../words/time.ts'
import { participant } from './participant.ts'

export const pageBefore = (number: number) => Math.max(0, number - MESSAGES_PER_PAGE)

/** `from`: the number after which they are asked for. */
export function Messages({
  thread,
  known,
  from,
  onEarlier,
}: {
  readonly thread: ThreadDetailJson
  readonly known: Known<readonly MessageJson[]>
  readonly from: number
  readonly onEarlier: (from: number) => void
}) {
  return (
    <Stale of={known}>
      {(messages) => {
        const earlier = (messages[0]?.number ?? 1) - 1
        return (
          <div className="mt-4">
            {earlier > 0 && (
              <p className="mb-3 flex flex-wrap items-center gap-3 text-mut text-sm">
                <Button busy={from < earlier} onClick={() => onEarlier(pageBefore(earlier))}>
                  Show earlier messages ({earlier} before these)
                </Button>
                <span>
                  All: <code>holdfast thread show {thread.thread_id}</code>
                </span>
              </p>
            )}
            <ol aria-label="Messages" className="flex flex-col gap-3">
              {messages.map((message) => (
                <Message key={message.number} message={message} />
              ))}
            </ol>
            {messages.length === 0 && <p className="text-mut">Nobody has written yet.</p>}
            <LastSeen thread={thread} last={messages.at(-1)?.number ?? 0} />
          </div>
        )
      }}
    </Stale>
  )
}

/** The end is another one with each message: that the former was in view says nothing of it. */
const LastSeen = (about: { readonly thread: ThreadDetailJson; readonly last: number }) => (
  <End key={about.last} {...about} />
)

function End({ thread, last }: { readonly thread: ThreadDetailJson; readonly last: number }) {
  const { thread_id: id, unread } = thread
  const mark = useRef<HTMLSpanElement>(null)
  const isSeen = useIsSeen(mark)
  useEffect(() => {
    if (isSeen && unread > 0) void haveRead(id, last)
  }, [isSeen, unread, id, last])
  return <span ref={mark} />
}

/** In view, in a tab that is looked at. */
function useIsSeen(mark: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false)
  const [isHidden, setHidden] = useState(document.hidden)
  useEffect(() => {
    if (mark.current === null) return
    const observer = new IntersectionObserver((seen) => setInView(seen.at(-1)?.isIntersecting ?? false))
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [mark])
  useEffect(() => {
    const look = () => setHidden(document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return inView && !isHidden
}

const KINDS: Readonly<Record<MessageJson['kind'], StateWord | undefined>> = {
  message: undefined,
  finding: { word: 'finding', tone: 'violet' },
  status: { word: 'status', tone: 'blue' },
  result: { word: 'result', tone: 'green' },
}

function Message({ message: { author, at, kind, refs, text, number } }: { readonly message: MessageJson }) {
  const word = KINDS[kind]
  return (
    <li className="rounded-lg border border-line bg-panel px-4 py-3 shadow-lift">
      <p className="flex flex-wrap items-center gap-x-2.5 text-sm">
        <b className="font-semibold">{participant(author)}</b>
        {word !== undefined && <Chip {...word} />}
        <span className="ml-auto text-mut">
          {number}, <At at={timeOf(at)} />
        </span>
      </p>
      <p className="mt-1.5 whitespace-pre-wrap">{text}</p>
      {refs.length > 0 && (
        <ul aria-label="About" className="mt-2 flex flex-wrap gap-2">
          {refs.map((ref) => (
            <li key={ref}>
              <code className="rounded-sm border border-line bg-code px-1.5 py-0.5">{ref}</code>
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}
