// Owns how tmux is, who waits for it, and the person's word to try it now.
import { Link } from 'wouter'
import type { HealthJson } from '../../../../src/protocol/json/daemon-json.ts'
import { tryTmux } from '../../data/orders/orders.ts'
import { useOrder } from '../../data/orders/use-order.ts'
import { Ago, Until } from '../../parts/age.tsx'
import { Button } from '../../parts/button.tsx'
import { Problem } from '../../parts/problem.tsx'
import type { StateWord } from '../../words/state.ts'
import { timeOf, timeOrNull } from '../../words/time.ts'
import { Part } from './part.tsx'

const STATES: Readonly<Record<HealthJson['tmux'], StateWord>> = {
  up: { word: 'up', tone: 'green' },
  down: { word: 'not started', tone: 'grey' },
  hung: { word: 'hangs', tone: 'red' },
  given_up: { word: 'died too often', tone: 'red' },
  missing: { word: 'missing', tone: 'red' },
}
const NOT_HEARD: StateWord = { word: 'not heard', tone: 'amber' }
const HELP: Readonly<Record<HealthJson['tmux'], { what: string; command?: string } | undefined>> = {
  up: undefined,
  down: undefined,
  hung: {
    what: 'Holdfast never kills a server that does not answer: agents live in it. End it yourself if it stays so; they are resumed.',
  },
  given_up: {
    what: 'It is tried again by itself. The reason is usually in the log:',
    command: 'holdfast doctor',
  },
  missing: {
    what: 'Install tmux 3.2 or later. Tasks without a terminal work meanwhile.',
    command: 'holdfast doctor',
  },
}

export function Tmux({ health, isUnheard }: { readonly health: HealthJson; readonly isUnheard: boolean }) {
  const { tmux, tmux_outage: outage } = health
  const retry = outage === null ? null : timeOrNull(outage.retry_at)
  const again = useOrder(tryTmux)
  return (
    <Part
      name="tmux"
      state={isUnheard ? NOT_HEARD : (STATES[tmux] ?? { word: tmux, tone: 'grey', outline: true })}
      says={
        outage === null ? (
          isUnheard ? (
            'Terminals could be opened.'
          ) : (
            'Terminals can be opened.'
          )
        ) : (
          <>
            {outage.why.replace(/\.$/, '')}, since <Ago at={timeOf(outage.since)} />.
            {retry !== null && (
              <>
                {' '}
                The next try is <Until at={retry} />.
              </>
            )}
          </>
        )
      }
      facts={[['Socket', <code key="socket">{health.tmux_socket}</code>]]}
      todo={outage === null ? undefined : HELP[tmux]}
    >
      {outage !== null && outage.waiting.length > 0 && (
        <p className="mt-2 text-sm">
          Waiting for it:{' '}
          {outage.waiting.map((id, place) => (
            <span key={id}>
              {place > 0 && ', '}
              <Link href={`/tasks/${id}`} className="text-accent hover:underline">
                {id}
              </Link>
            </span>
          ))}
        </p>
      )}
      {again.refused !== undefined && <Problem refused={again.refused} />}
      {outage !== null && (
        <p className="mt-3">
          <Button busy={again.busy} onClick={() => void again.give()}>
            Try it now
          </Button>
        </p>
      )}
    </Part>
  )
}
