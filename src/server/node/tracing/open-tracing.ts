import { AsyncLocalStorage } from 'node:async_hooks'
import type { Context, Span as OtelSpan, SpanOptions, Tracer } from '@opentelemetry/api'
import { buildNumber } from '#contract/version.ts'
import { Refusal } from '#domain/errors.ts'
import { describeError } from '../../log/safe-log.ts'
import type { CallOutcome, Log, Span, TracedCall, Tracing } from '../../ports/ports.ts'
import { reportingExporter } from './reporting-exporter.ts'
import { readTraceparent } from './traceparent.ts'

/*
 * OpenTelemetry traces. A span holds names of our own code alone: no ID, no parameter of a statement, no
 * message of an error, because each may be somebody's text (R50).
 */

export type TracingSettings = {
  /** The base address of an OTLP/HTTP receiver, without a slash at its end. */
  endpoint: string
  serviceName: string
  /** The share of calls that are recorded, from 0 to 1. A trusted proxy's own choice counts before it. */
  share: number
}

type Attributes = Record<string, string>

export type NodeTracing = Tracing & {
  /** Whether what runs now is part of a span. */
  isInside(): boolean
  /** Runs the work as a span of its own, inside the one that is open. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** The log with the ID of the trace in the lines of traced calls. */
  logWithTrace(log: Log): Log
  /** Sends what is recorded, for at most three seconds. */
  close(): Promise<void>
}

/** Spans that wait to be sent; further ones are dropped. Each has about 1 kB. */
const maxWaiting = 2_048

/** Milliseconds to send what waits when the server stops. */
const closeTimeout = 3_000

/**
 * Records traces and sends them to the receiver. Its packages are loaded here, so that a server without traces
 * does without them. While the receiver is down, only spans are lost.
 */
export async function openTracing(settings: TracingSettings, log: Log): Promise<NodeTracing> {
  const [otel, { resourceFromAttributes }, { OTLPTraceExporter }, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-base'),
  ])
  const exporter = new OTLPTraceExporter({
    url: `${settings.endpoint}/v1/traces`,
    timeoutMillis: 5_000,
    concurrencyLimit: 2,
  })
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'service.version': `${buildNumber}`,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(settings.share) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(reportingExporter(exporter, log), { maxQueueSize: maxWaiting }),
    ],
  })
  const tracer = provider.getTracer(settings.serviceName)
  return {
    ...spansOf(tracer, otel),
    async close() {
      const late = new Promise<void>((done) => setTimeout(done, closeTimeout).unref())
      await Promise.race([provider.shutdown().catch(() => undefined), late])
    },
  }
}

function spansOf(
  tracer: Tracer,
  { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }: typeof import('@opentelemetry/api'),
): Omit<NodeTracing, 'close'> {
  // The context of the open span. Ours instead of the library's global one, so that one process may have several.
  const open = new AsyncLocalStorage<Context>()

  function start(name: string, options: SpanOptions, parent: Context) {
    const span = tracer.startSpan(name, options, parent)
    return { span, within: trace.setSpan(parent, span) }
  }

  const fail = (span: OtelSpan) => span.setStatus({ code: SpanStatusCode.ERROR })

  function endCall(span: OtelSpan, { status, reason }: CallOutcome) {
    span.setAttribute('http.response.status_code', status)
    if (reason !== undefined) span.setAttribute('soma.refusal', reason)
    if (status >= 500) fail(span)
    span.end()
  }

  function noteError(span: OtelSpan, error: unknown) {
    if (error instanceof Refusal) {
      span.setAttribute('soma.refusal', error.reason)
      if (error.reason !== 'unavailable') return
    }
    const { code, type } = describeError(error)
    span.setAttribute('error.type', code ?? type)
    fail(span)
  }

  const isInside = () => open.getStore() !== undefined
  return {
    isInside,
    begin({ op, method, route, traceparent }: TracedCall): Span {
      const caller = readTraceparent(traceparent)
      const outside = caller ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
      const parent = open.getStore()
      const { span, within } = start(
        op,
        {
          kind: parent ? SpanKind.INTERNAL : SpanKind.SERVER,
          attributes: { 'http.request.method': method, 'http.route': route },
        },
        parent ?? outside,
      )
      return {
        run: (work) => open.run(within, work),
        end: (outcome) => endCall(span, outcome),
      }
    },
    async part(name, attributes, work) {
      const parent = open.getStore() ?? ROOT_CONTEXT
      const { span, within } = start(name, { kind: SpanKind.CLIENT, attributes }, parent)
      try {
        return await open.run(within, work)
      } catch (error) {
        noteError(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    logWithTrace(log) {
      const withTrace =
        (write: Log['info']): Log['info'] =>
        (about, message) => {
          const context = open.getStore()
          const traceId = context && trace.getSpanContext(context)?.traceId
          write(traceId ? { ...about, trace: traceId } : about, message)
        }
      return {
        info: withTrace(log.info),
        warn: withTrace(log.warn),
        error: withTrace(log.error),
      }
    },
  }
}
