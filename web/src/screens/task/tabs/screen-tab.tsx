// Owns the agent's screen as text: selectable, scrolled by the browser, and never resizing the agent's pane.

import type { TaskDetailJson } from '../../../../../src/protocol/task-json.ts'
import { call } from '../../../data/call.ts'
import { useResource } from '../../../data/resource.ts'
import { Ago } from '../../../parts/age.tsx'
import { Chip } from '../../../parts/chip.tsx'
import { Copy } from '../../../parts/copy.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { Stale } from '../../../parts/stale.tsx'
import { TextBlock } from '../../../parts/text-block.tsx'
import { KeyBar } from './key-bar.tsx'

/** Nothing announces what a screen shows. */
const LOOK_AGAIN_MS = 1000

export function ScreenTab({ task }: { readonly task: TaskDetailJson }) {
  const id = task.session_id
  const screen = useResource(['task', id, 'screen'], () => call('GET /api/tasks/:id/screen', { id }), {
    every: LOOK_AGAIN_MS,
    enabled: task.mode === 'interactive',
  })
  if (task.mode !== 'interactive')
    return (
      <div className="p-4">
        <Empty>It works without a screen. Its output is all there is to see.</Empty>
      </div>
    )
  return (
    <div className="p-4">
      <Stale of={screen}>
        {({ screen: text, live }) => (
          <>
            <div className="mb-2 flex flex-wrap items-center gap-3 text-mut text-sm">
              {live ? <Chip word="live" tone="green" /> : <Chip word="last seen" tone="grey" outline />}
              {screen.asOf !== undefined && (
                <span>
                  read <Ago at={screen.asOf} />
                </span>
              )}
              <span className="ml-auto">
                <Copy text={`holdfast attach ${task.name ?? id}`} />
              </span>
            </div>
            <TextBlock label="The agent's screen" text={text.replace(/\s+$/, '')} />
            {live && <KeyBar id={id} />}
          </>
        )}
      </Stale>
    </div>
  )
}
