import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Metrics } from '../ports/ports.ts'

/** Metrics for Prometheus: calls by name and status, their duration, open streams, and the process. */
export function prometheusMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answers = new Counter({
    name: 'soma_answers_total',
    help: 'Answers to calls of the API',
    labelNames: ['op', 'status'],
    registers: [registry],
  })
  const seconds = new Histogram({
    name: 'soma_answer_seconds',
    help: 'Time until a call was answered',
    labelNames: ['op'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  const open = new Gauge({
    name: 'soma_event_streams',
    help: 'Open event streams',
    registers: [registry],
  })
  return {
    answered(op, status, took) {
      answers.inc({ op, status })
      seconds.observe({ op }, took)
    },
    streams: (count) => open.set(count),
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}
