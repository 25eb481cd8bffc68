// Owns the screen of the installation: daemon, tmux, store, disk, journal and agents, and what to do when something is wrong.
import type { HealthJson } from '../../../../src/protocol/json/daemon-json.ts'
import { isUnreached } from '../../data/connection/call.ts'
import type { Known } from '../../data/held/resource.ts'
import { useHealth, useReady } from '../../data/installation/health.ts'
import { Lasting } from '../../parts/age.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf } from '../../words/time.ts'
import { Agents } from './agents.tsx'
import { Checked } from './checked.tsx'
import { Journal } from './journal.tsx'
import { Part } from './part.tsx'
import { Tmux } from './tmux.tsx'

export function HealthScreen() {
  const health = useHealth()
  const ready = useReady()
  return (
    <Screen title="Health">
      <Stale of={health}>{(value) => <Daemon health={value} isUnheard={isUnheard(health)} />}</Stale>
      <Stale of={ready}>
        {({ checks }) => <Checked checks={checks} isStale={ready.stale} health={health.value} />}
      </Stale>
      <Section title="What follows from events">
        <Journal />
      </Section>
      <Section title="Agents on this machine">
        <Agents />
      </Section>
    </Screen>
  )
}

/** A daemon that says what it cannot find out is up. */
const isUnheard = ({ stale, refused }: Known<HealthJson>) =>
  stale && (refused === undefined || isUnreached(refused))

function Daemon({ health, isUnheard }: { readonly health: HealthJson; readonly isUnheard: boolean }) {
  const { max_concurrent } = health
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Part
        name="Daemon"
        state={isUnheard ? { word: 'not heard', tone: 'amber' } : { word: 'up', tone: 'green' }}
        says={
          <>
            Version {health.version}, process {health.pid}, up for <Lasting at={timeOf(health.started_at)} />.
          </>
        }
        facts={[
          ['Home', <code key="home">{health.home}</code>],
          ['Node', <code key="node">{health.node_id}</code>],
          ['At once', `up to ${max_concurrent} sessions`],
        ]}
        todo={
          isUnheard
            ? {
                what: 'Agents keep working without it. See whether it runs, and start it:',
                command: 'holdfast up',
              }
            : undefined
        }
      />
      <Tmux health={health} isUnheard={isUnheard} />
    </div>
  )
}
