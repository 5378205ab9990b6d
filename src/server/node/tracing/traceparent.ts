import type { SpanContext } from '@opentelemetry/api'

/** The caller's span in a `traceparent` header (W3C Trace Context); `undefined` for any other text. */
export function readTraceparent(header: string | undefined): SpanContext | undefined {
  const form = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
  const [, version, traceId = '', spanId = '', flags = '', rest] = form.exec(header ?? '') ?? []
  // Only later versions may add something.
  if (version === undefined || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
}
