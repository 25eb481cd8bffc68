// Owns the agent's screen: as text, selectable and scrolled by the browser, or as a live terminal. Neither resizes the agent's pane.
import { Suspense, useState } from 'react'
import type { TaskDetailJson } from '../../../../../src/protocol/json/task-json.ts'
import { call } from '../../../data/connection/call.ts'
import { useResource } from '../../../data/held/resource.ts'
import { Ago } from '../../../parts/age.tsx'
import { Button } from '../../../parts/button.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Boundary } from '../../../parts/loaded/boundary.tsx'
import { loadable } from '../../../parts/loaded/loadable.tsx'
import { Problem } from '../../../parts/problem.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { KeyBar } from './key-bar.tsx'
import { ScreenText } from './screen-text.tsx'

/** The emulator is as large as the rest of the page: it is loaded when somebody opens it. */
const LiveTerminal = loadable(async () => (await import('../terminal/live-terminal.tsx')).default)

/** Nothing announces what a screen shows. */
const LOOK_AGAIN_MS = 1000

type NoTerminal = { readonly message: string; readonly hint: string }

export function ScreenTab({ task }: { readonly task: TaskDetailJson }) {
  const [isTerminal, setTerminal] = useState(false)
  const [refused, setRefused] = useState<NoTerminal>()
  if (task.mode !== 'interactive')
    return (
      <div className="p-4">
        <Empty>It works without a screen. Its output is all there is to see.</Empty>
      </div>
    )
  const asTerminal = (on: boolean) => {
    setRefused(undefined)
    setTerminal(on)
  }
  const onRefused = (why: NoTerminal) => {
    setRefused(why)
    setTerminal(false)
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      {/* On a phone the text is what can be read. */}
      <div className="flex max-md:hidden">
        <Button aria-pressed={isTerminal} onClick={() => asTerminal(!isTerminal)}>
          {isTerminal ? 'Show as text' : 'Live terminal'}
        </Button>
      </div>
      {refused !== undefined && <Problem refused={refused} />}
      {isTerminal ? (
        <Boundary>
          <Suspense fallback={<p className="text-mut text-sm">The terminal is being loaded …</p>}>
            <LiveTerminal id={task.session_id} onRefused={onRefused} />
          </Suspense>
        </Boundary>
      ) : (
        <ScreenAsText task={task} />
      )}
    </div>
  )
}

function ScreenAsText({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const screen = useResource(['task', id, 'screen'], () => call('GET /api/tasks/:id/screen', { id }), {
    every: LOOK_AGAIN_MS,
  })
  return (
    <div>
      <Stale of={screen}>
        {({ screen: text, live: wasLive }) => {
          const live = wasLive && !screen.stale
          return (
            <div>
              <div className="mb-2 flex flex-wrap items-center gap-3 text-mut text-sm">
                {live ? <Chip word="live" tone="green" /> : <Chip word="last seen" tone="grey" outline />}
                {screen.asOf !== undefined && (
                  <span>
                    read <Ago at={screen.asOf} />
                  </span>
                )}
                <span className="ml-auto max-md:hidden">
                  <Copy text={`holdfast attach ${task.runtime ?? task.name ?? id}`} />
                </span>
              </div>
              {/* Where an agent asks and where it is typed to is the last part of its screen. */}
              <ScreenText screen={text} />
              {live && <KeyBar id={id} />}
            </div>
          )
        }}
      </Stale>
    </div>
  )
}
