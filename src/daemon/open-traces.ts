// Owns whether this daemon sends traces. The libraries for it are loaded here, at the start, and only when they are needed.
import { nameAtNode } from '../domain/journal/subscriber-name.ts'
import type { DaemonConfig } from '../domain/settings/config.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store/store.ts'
import type { Supervisor } from '../supervisor/supervisor.ts'
import { systemClock } from '../system/clock.ts'
import { TRACES, Tracing } from '../traces/tracing.ts'

type Needs = {
  readonly config: DaemonConfig
  readonly env: NodeJS.ProcessEnv
  readonly store: Store
  readonly supervisor: Pick<Supervisor, 'subscribers' | 'listen'>
  readonly log: Log
  readonly about: { readonly version: string; readonly node: string }
}

/** Before supervision starts. Returns how it is closed, after supervision has stopped. */
export async function openTraces({
  config,
  env,
  store,
  supervisor,
  log,
  about,
}: Needs): Promise<() => Promise<void>> {
  const endpoint = config['otel.endpoint']
  if (endpoint === null && !hasEndpoint(env)) {
    // A reader that nobody moves on would keep the journal from forgetting.
    await store.dropSubscriber(nameAtNode(TRACES, store.nodeId))
    return async () => {}
  }
  const { openSink } = await import('../traces/otlp/main.ts')
  const sink = openSink({
    endpoint,
    ...about,
    sleep: systemClock.sleep,
    onReach: (reached, why) =>
      reached
        ? log.info('traces are sent again')
        : log.warn('traces cannot be sent; those that do not fit in memory are dropped', { why }),
  })
  const tracing = new Tracing({ store, sink, startedAt: systemClock.now() })
  supervisor.subscribers.add(tracing.subscription())
  supervisor.listen(tracing)
  return async () => {
    await tracing.whenIdle()
    await sink.close()
  }
}

const hasEndpoint = (env: NodeJS.ProcessEnv) =>
  env.OTEL_SDK_DISABLED !== 'true' &&
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
