// Owns one runtime: how it stands, what that was concluded from, and what a person can do with it.
import { useState } from 'react'
import { Link } from 'wouter'
import type { RuntimeJson } from '../../../../src/protocol/json/runtime-json.ts'
import { order } from '../../data/connection/call.ts'
import { refresh } from '../../data/held/resource.ts'
import { useRuntime } from '../../data/installation/runtimes.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Ago, Lasting, Sentence, Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Chip } from '../../parts/chip.tsx'
import { OnNode } from '../../parts/on-node.tsx'
import { Confirm } from '../../parts/order/confirm.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Stale } from '../../parts/stale.tsx'
import { askedParts } from '../../words/question.ts'
import { sentence } from '../../words/sentence.ts'
import { timeOf, timeOrNull } from '../../words/time.ts'
import { waitsWord } from '../../words/waits.ts'
import { runtimeWord } from './runtime-words.ts'
import { Transitions } from './transitions.tsx'

export function Runtime({ runtime }: { readonly runtime: RuntimeJson }) {
  const [opened, setOpened] = useState(false)
  const heartbeat = timeOrNull(runtime.last_heartbeat_at)
  const restart = timeOrNull(runtime.restart_at)
  const waits = waitsWord(runtime.waits_for)
  const waitsUntil = timeOrNull(runtime.waits_until)
  return (
    <Card label={runtime.agent_id} className="px-4 py-3.5">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Chip {...runtimeWord(runtime)} />
        <Link href={`/tasks/${runtime.task_id}`} className="min-w-0 font-semibold hover:underline">
          {runtime.agent_id}
        </Link>
        {runtime.operator_busy && <Chip word="somebody types there" tone="amber" />}
        <span className="ml-auto text-mut text-sm">
          for <Lasting at={timeOf(runtime.state_since)} />
        </span>
      </div>
      {runtime.elsewhere !== null && <OnNode elsewhere={runtime.elsewhere} />}
      <p className="mt-2">
        <Sentence words={sentence(runtime.reason === '' ? 'no reason is known' : runtime.reason)} />
        {waits !== undefined && (
          <span className="text-mut">
            {' '}
            {sentence(waits)}
            {waitsUntil !== null && (
              <>
                {' '}
                It goes on <Until at={waitsUntil} />.
              </>
            )}
          </span>
        )}
        {waits === undefined && restart !== null && (
          <span className="text-mut">
            {' '}
            It is started again <Until at={restart} />.
          </span>
        )}
      </p>
      {runtime.question !== null && (
        <p className="mt-2 border-l-3 border-l-amber pl-3">
          It needs you: {askedParts(runtime.question).words}{' '}
          <Link href={`/tasks/${runtime.task_id}`} className="text-accent hover:underline">
            Answer
          </Link>
        </p>
      )}
      <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-mut text-sm">
        <span>{runtime.agent_kind ?? 'agent unknown'}</span>
        <span>{runtime.pid === null ? 'no process' : `process ${runtime.pid}`}</span>
        <span>
          terminal <code>{runtime.tmux_target}</code>
        </span>
        {heartbeat !== null && (
          <span>
            heartbeat <Ago at={heartbeat} />
          </span>
        )}
        {runtime.restarts > 0 && <span>restarts {runtime.restarts}</span>}
        {runtime.drifts > 0 && <span>drifts {runtime.drifts}</span>}
      </p>
      <Acts runtime={runtime} opened={opened} open={() => setOpened(!opened)} />
      {opened && <Story id={runtime.runtime_id} />}
    </Card>
  )
}

/** Only its own daemon starts and ends it. */
function Acts({
  runtime,
  opened,
  open,
}: {
  readonly runtime: RuntimeJson
  readonly opened: boolean
  readonly open: () => void
}) {
  const id = runtime.runtime_id
  const done = () => refresh(['runtimes'])
  const start = useOrder(async () => {
    await order('POST /api/runtimes', { body: { role: runtime.role, dir: runtime.project ?? '' } })
    done()
  })
  const stop = async () => {
    await order('POST /api/runtimes/:id/stop', { id })
    done()
  }
  const restart = useOrder(async () => {
    await order('POST /api/runtimes/:id/restart', { id })
    done()
  })
  const refused = start.refused ?? restart.refused
  const busy = start.busy || restart.busy
  return (
    <>
      {refused !== undefined && (
        <div className="mt-3">
          <Problem refused={refused} />
        </div>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {runtime.elsewhere !== null ? null : runtime.wanted === 'stopped' ? (
          <Button
            kind="primary"
            busy={busy}
            disabled={runtime.project === null}
            onClick={() => void start.give()}
          >
            Start
          </Button>
        ) : (
          <>
            <Button busy={busy} onClick={() => void restart.give()}>
              Restart
            </Button>
            <Confirm
              button="Stop"
              title={`Stop ${runtime.agent_id}?`}
              what="Its agent is ended, and it does not come back by itself. Until it is started again, prompts that wait for it go on waiting, and new ones are refused."
              disabled={busy}
              order={stop}
            />
          </>
        )}
        <Button kind="quiet" aria-expanded={opened} onClick={open}>
          {opened ? 'Hide its story' : 'Its story'}
        </Button>
        <Link
          href={`/runtimes?show=triggers&to=${encodeURIComponent(runtime.task_id)}`}
          className="text-accent hover:underline"
        >
          Its triggers
        </Link>
      </div>
    </>
  )
}

function Story({ id }: { readonly id: string }) {
  const known = useRuntime(id)
  return (
    <div className="mt-3 border-line border-t pt-3">
      <Stale of={known}>{({ transitions }) => <Transitions transitions={transitions} />}</Stale>
    </div>
  )
}
