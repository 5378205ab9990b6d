import type { SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { Log } from '../../ports/ports.ts'

/** The exporter, with one line in the log when the receiver stops taking spans and one when it takes them again. */
export function reportingExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing)
          log.warn({ err: result.error }, 'Traces are not taken by their receiver and are dropped')
        if (!failed && isFailing) log.info({}, 'Traces are taken again')
        isFailing = failed
        done(result)
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}
