// Owns the screen of the installation: daemon, tmux, store, disk and agents, and what to do when something is wrong.
import type { HealthJson } from '../../../../src/protocol/json/daemon-json.ts'
import { useHealth, useReady } from '../../data/health.ts'
import { Lasting } from '../../parts/age.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf } from '../../words/time.ts'
import { Agents } from './agents.tsx'
import { Checked } from './checked.tsx'
import { Part } from './part.tsx'
import { Tmux } from './tmux.tsx'

export function HealthScreen() {
  const health = useHealth()
  const ready = useReady()
  return (
    <Screen title="Health">
      <Stale of={health}>{(value) => <Daemon health={value} isStale={health.stale} />}</Stale>
      <Stale of={ready}>
        {({ checks }) => <Checked checks={checks} isStale={ready.stale} health={health.value} />}
      </Stale>
      <Section title="Agents on this machine">
        <Agents />
      </Section>
    </Screen>
  )
}

function Daemon({ health, isStale }: { readonly health: HealthJson; readonly isStale: boolean }) {
  const { max_concurrent } = health
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Part
        name="Daemon"
        state={isStale ? { word: 'not heard', tone: 'amber' } : { word: 'up', tone: 'green' }}
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
          isStale
            ? {
                what: 'Agents keep working without it. See whether it runs, and start it:',
                command: 'holdfast up',
              }
            : undefined
        }
      />
      <Tmux health={health} />
    </div>
  )
}
