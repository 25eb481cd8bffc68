// All that needs the libraries of OpenTelemetry: a bundle of its own (dist/traces.js), loaded by a daemon that sends traces, when it
// starts. It never waits for the collector: spans wait in a short queue, and what does not fit is dropped.
import {
  type Context,
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base'
import type { SpanFacts, SpanSink } from '../span.ts'

/** A few megabytes at most. */
const MOST_WAITING = 2048
/** What is lost when the daemon is killed is not older than this. */
const SEND_EVERY_MS = 1000
const SEND_LIMIT_MS = 5000

export type SinkOptions = {
  /** The collector's address; null: as the environment says (OTEL_EXPORTER_OTLP_…). */
  readonly endpoint: string | null
  readonly version: string
  readonly node: string
  /** Called when sending begins to fail, and when it works again. */
  readonly onReach: (reached: boolean, why: string) => void
  /** Resolves after this many ms. */
  readonly sleep: (ms: number) => Promise<void>
}

export function openSink({ endpoint, version, node, onReach, sleep }: SinkOptions): SpanSink {
  const ids = new GivenIds()
  const exporter = new OTLPTraceExporter({
    ...(endpoint === null ? {} : { url: addressOf(endpoint) }),
    timeoutMillis: SEND_LIMIT_MS,
  })
  const processor = new BatchSpanProcessor(telling(exporter, onReach), {
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: 256,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_LIMIT_MS,
  })
  const provider = new BasicTracerProvider({
    idGenerator: ids,
    spanProcessors: [processor],
    resource: resourceFromAttributes({
      'service.name': 'holdfast',
      'service.version': version,
      'service.instance.id': node,
    }),
  })
  const tracer = provider.getTracer('holdfast', version)
  return {
    add(facts) {
      ids.next = facts
      const span = tracer.startSpan(
        facts.name,
        {
          startTime: facts.from,
          attributes: { ...facts.attributes },
          kind: facts.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
        },
        parentOf(facts),
      )
      if (facts.error !== null) {
        span.setAttribute('error.type', facts.error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(Math.max(facts.from, facts.to))
    },
    close: () => Promise.race([provider.shutdown().catch(() => {}), sleep(SEND_LIMIT_MS)]),
  }
}

/** Gives a span the ids that were decided for it. */
class GivenIds {
  next: Pick<SpanFacts, 'traceId' | 'spanId'> = { traceId: '', spanId: '' }
  generateTraceId = () => this.next.traceId
  generateSpanId = () => this.next.spanId
}

function parentOf({ traceId, parentSpanId }: SpanFacts): Context {
  if (parentSpanId === null) return ROOT_CONTEXT
  const spanContext = { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED }
  return trace.setSpanContext(context.active(), spanContext)
}

/** `http://host:4318` is the collector, `http://host:4318/v1/traces` where it takes traces. */
const addressOf = (endpoint: string) =>
  /\/v1\/traces\/?$/.test(endpoint) ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`

/** The same exporter, which says when the collector cannot be reached any more, and when it can again. */
function telling(exporter: OTLPTraceExporter, onReach: SinkOptions['onReach']): SpanExporter {
  let reached: boolean | undefined
  return {
    export: (spans: ReadableSpan[], done) =>
      exporter.export(spans, (result) => {
        const isSent = result.code === 0
        if (isSent !== (reached ?? true)) onReach(isSent, result.error?.message ?? '')
        reached = isSent
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}
