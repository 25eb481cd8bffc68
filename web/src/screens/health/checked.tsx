// Owns how store and disk are, by what the daemon finds when it tries them.
import type { HealthJson, ReadyCheckJson, ReadyJson } from '../../../../src/protocol/json/daemon-json.ts'
import { sentence } from '../../words/sentence.ts'
import type { StateWord } from '../../words/state.ts'
import { Part } from './part.tsx'

const NOT_HEARD: StateWord = { word: 'not heard', tone: 'amber' }
const KINDS: Readonly<Record<HealthJson['store'], string>> = {
  sqlite: 'SQLite, a file in the home.',
  postgres: 'PostgreSQL.',
}

type Told = {
  readonly checks: ReadyJson['checks']
  readonly isStale: boolean
  /** Undefined until it is heard: without the store it is not told. */
  readonly health: HealthJson | undefined
}

export function Checked({ checks, isStale, health }: Told) {
  const named = (name: ReadyCheckJson['name']) => checks.find((check) => check.name === name)
  const store = named('store')
  const disk = named('disk')
  return (
    <div className="grid gap-3 md:grid-cols-2">
      {store !== undefined && <Store check={store} isStale={isStale} health={health} />}
      {disk !== undefined && <Disk check={disk} isStale={isStale} health={health} />}
    </div>
  )
}

function Store({
  check: { ok, what },
  isStale,
  health,
}: Omit<Told, 'checks'> & { readonly check: ReadyCheckJson }) {
  return (
    <Part
      name="Store"
      state={stateOf(isStale, ok, 'answers', { word: 'fails', tone: 'red' })}
      says={ok && health !== undefined ? KINDS[health.store] : sentence(what)}
      facts={
        ok && health !== undefined
          ? [
              ['Sessions', String(health.stats.total)],
              ['Ended well', String(health.stats.completed)],
              ['Failed', String(health.stats.failed)],
            ]
          : []
      }
      todo={
        ok
          ? undefined
          : {
              what: 'Orders are refused until it works again. Agents keep working meanwhile; what they say is read afterwards.',
            }
      }
    />
  )
}

function Disk({
  check: { ok, what },
  isStale,
  health,
}: Omit<Told, 'checks'> & { readonly check: ReadyCheckJson }) {
  const isFull = health?.disk.too_little_free ?? false
  return (
    <Part
      name="Disk"
      state={stateOf(
        isStale,
        ok,
        'fine',
        isFull ? { word: 'nearly full', tone: 'red' } : { word: 'too much', tone: 'amber' },
      )}
      says={sentence(what)}
      facts={[]}
      todo={
        ok
          ? undefined
          : {
              what: isFull
                ? 'Free some space. Agents fail when they cannot write; sessions that ended long ago can be archived:'
                : 'Archive or remove sessions that ended long ago:',
              command: 'holdfast archive --older-than 30d',
            }
      }
    />
  )
}

const stateOf = (isStale: boolean, ok: boolean, well: string, wrong: StateWord): StateWord =>
  isStale ? NOT_HEARD : ok ? { word: well, tone: 'green' } : wrong
