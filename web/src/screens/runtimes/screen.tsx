// Owns the screen of standing agents, and of the prompts on their way to agents.
import { useState } from 'react'
import { useRuntimes } from '../../data/installation/runtimes.ts'
import { useSearch } from '../../data/screen/search.ts'
import { Button } from '../../parts/button.tsx'
import { classes } from '../../parts/classes.ts'
import { Empty } from '../../parts/empty.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { Runtime } from './runtime.tsx'
import { StartRuntime } from './start-runtime.tsx'
import { Triggers } from './triggers.tsx'

export function RuntimesScreen() {
  const search = useSearch()
  const showsTriggers = search.get('show') === 'triggers'
  const tab = (word: string, show: string, on: boolean) => (
    <button
      type="button"
      aria-pressed={on}
      onClick={() => search.set({ show })}
      className={classes(
        'min-h-11 rounded-md px-3 md:min-h-8',
        on ? 'bg-soft font-semibold' : 'text-mut hover:text-ink',
      )}
    >
      {word}
    </button>
  )
  return (
    <Screen title="Runtimes">
      <div className="flex gap-1">
        {tab('Runtimes', '', !showsTriggers)}
        {tab('Triggers', 'triggers', showsTriggers)}
      </div>
      {showsTriggers ? <Triggers /> : <Registry />}
    </Screen>
  )
}

function Registry() {
  const runtimes = useRuntimes()
  const [starts, setStarts] = useState(false)
  return (
    <>
      {starts ? (
        <StartRuntime close={() => setStarts(false)} />
      ) : (
        <p className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setStarts(true)}>Start a runtime</Button>
          <span className="text-mut text-sm">
            An agent that stands by in its terminal and is woken with prompts.
          </span>
        </p>
      )}
      <Stale of={runtimes}>
        {(all) =>
          all.length === 0 ? (
            <Empty command="holdfast runtime start <role>">
              No runtime stands. One keeps its role in a workspace: other agents and people send it prompts,
              and it comes back when it dies.
            </Empty>
          ) : (
            <div className="grid gap-3">
              {all.map((runtime) => (
                <Runtime key={runtime.runtime_id} runtime={runtime} />
              ))}
            </div>
          )
        }
      </Stale>
    </>
  )
}
