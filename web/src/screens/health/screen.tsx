// Owns the screen of the installation: daemon, tmux, store, disk and agents, and what to do when something is wrong.
import type { HealthJson } from '../../../../src/protocol/api.ts'
import { useHealth } from '../../data/health.ts'
import { Lasting } from '../../parts/age.tsx'
import { Section } from '../../parts/section.tsx'
import { Stale } from '../../parts/stale.tsx'
import { Screen } from '../../shell/screen.tsx'
import { timeOf } from '../../words/time.ts'
import { Agents } from './agents.tsx'
import { Part } from './part.tsx'
import { Tmux } from './tmux.tsx'

export function HealthScreen() {
  const health = useHealth()
  return (
    <Screen title="Health">
      <Stale of={health}>{(value) => <Parts health={value} isStale={health.stale} />}</Stale>
      <Section title="Agents on this machine">
        <Agents />
      </Section>
    </Screen>
  )
}

function Parts({ health, isStale }: { readonly health: HealthJson; readonly isStale: boolean }) {
  const { stats, max_concurrent } = health
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
          ['Slots', `${stats.running} at work of ${max_concurrent}`],
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
      <Part
        name="Store"
        state={isStale ? { word: 'not heard', tone: 'amber' } : { word: 'answers', tone: 'green' }}
        says={health.store === 'sqlite' ? 'SQLite, a file in the home.' : 'PostgreSQL.'}
        facts={[
          ['Tasks', String(stats.total)],
          ['Ended well', String(stats.completed)],
          ['Failed', String(stats.failed)],
        ]}
      />
      <Part
        name="Disk"
        state={health.disk.too_much ? { word: 'too much', tone: 'amber' } : { word: 'fine', tone: 'green' }}
        says={`${health.disk.what.replace(/\.$/, '')}.`}
        facts={[]}
        todo={
          health.disk.too_much
            ? {
                what: 'Archive or remove sessions that ended long ago:',
                command: 'holdfast archive --older 30d',
              }
            : undefined
        }
      />
    </div>
  )
}
