import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { buildNumber } from '#contract/version.ts'
import type { Metrics } from '../ports/ports.ts'

/** The counts that `pg.Pool` gives. */
type Pool = {
  totalCount: number
  idleCount: number
  waitingCount: number
  options: { max: number }
}

type Sources = { pool: Pool; smsDaily: number }

/** Kinds of messages that leave the server. */
type Channel = 'sms' | 'push'
export type NodeMetrics = Metrics & {
  sent(channel: Channel, outcome: string): void
}

/**
 * Metrics for Prometheus. Every label is a name of our own code (calls, reasons, limits), so callers cannot
 * make series.
 */
export function prometheusMetrics({ pool, smsDaily }: Sources): NodeMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = callMetrics(registers)
  const traffic = trafficMetrics(registers)
  const service = serviceMetrics(registers)
  poolMetrics(registers, pool)
  service.smsDaily.set(smsDaily)
  service.newestBackup.set(Number.NaN)
  return {
    answered(op, { status, reason, limit }, took) {
      calls.answers.inc({ op, status })
      calls.seconds.observe({ op }, took)
      if (reason !== undefined) calls.refusals.inc({ op, reason })
      if (limit !== undefined) calls.limits.inc({ limit })
    },
    streams: (open) => traffic.streams.set(open),
    uploads: (underWay) => traffic.uploads.set(underWay),
    batch: (operations) => traffic.batches.observe(operations),
    backups: (newestAt) => service.newestBackup.set(newestAt / 1000),
    queueReported: (length) => traffic.queues.observe(length),
    sent: (channel, outcome) => traffic.messages.inc({ channel, outcome }),
    state({ checks, smsToday, freeBytes }) {
      for (const [check, passes] of Object.entries(checks))
        service.ready.set({ check }, Number(passes))
      // NaN leaves an unknown value out of graphs.
      service.smsToday.set(smsToday ?? Number.NaN)
      service.freeBytes.set(freeBytes ?? Number.NaN)
    },
    text: async () => ({ type: registry.contentType, body: await registry.metrics() }),
  }
}

const callMetrics = (registers: Registry[]) => ({
  answers: new Counter({
    name: 'soma_answers_total',
    help: 'Answers to calls of the API',
    labelNames: ['op', 'status'],
    registers,
  }),
  seconds: new Histogram({
    name: 'soma_answer_seconds',
    help: 'Time until a call was answered',
    labelNames: ['op'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  }),
  refusals: new Counter({
    name: 'soma_refusals_total',
    help: 'Calls that were refused, by reason',
    labelNames: ['op', 'reason'],
    registers,
  }),
  limits: new Counter({
    name: 'soma_limits_hit_total',
    help: 'Calls that a limit refused, by the name of the limit',
    labelNames: ['limit'],
    registers,
  }),
})

const trafficMetrics = (registers: Registry[]) => ({
  streams: new Gauge({ name: 'soma_event_streams', help: 'Open event streams', registers }),
  uploads: new Gauge({
    name: 'soma_uploads_under_way',
    help: 'Uploads of photos that are being received',
    registers,
  }),
  batches: new Histogram({
    name: 'soma_batch_operations',
    help: 'Operations of a batch',
    buckets: [1, 2, 5, 10, 20, 50, 100],
    registers,
  }),
  queues: new Histogram({
    name: 'soma_phone_queue_length',
    help: 'Unsent entries that phones have reported; nothing proves that they are right',
    buckets: [0, 1, 2, 5, 10, 20, 50, 100, 500],
    registers,
  }),
  messages: new Counter({
    name: 'soma_messages_total',
    help: 'SMS and push messages that were handed to their service, by outcome',
    labelNames: ['channel', 'outcome'],
    registers,
  }),
})

function serviceMetrics(registers: Registry[]) {
  new Gauge({
    name: 'soma_build_info',
    help: 'Always 1; the label names the build',
    labelNames: ['build'],
    registers,
  }).set({ build: `${buildNumber}` }, 1)
  return {
    ready: new Gauge({
      name: 'soma_ready',
      help: 'Whether a check of /readyz passes',
      labelNames: ['check'],
      registers,
    }),
    smsToday: new Gauge({
      name: 'soma_sms_today',
      help: 'SMS of this day (UTC), of all processes',
      registers,
    }),
    smsDaily: new Gauge({
      name: 'soma_sms_daily',
      help: 'SMS that may be sent in a day',
      registers,
    }),
    newestBackup: new Gauge({
      name: 'soma_newest_backup_timestamp_seconds',
      help: 'When the newest daily backup was made, 0 for never; without BACKUP_DIR not a number',
      registers,
    }),
    freeBytes: new Gauge({
      name: 'soma_disk_free_bytes',
      help: 'Free bytes on the disk of the embedded database',
      registers,
    }),
  }
}

/** Read from the pool whenever the metrics are asked for. */
function poolMetrics(registers: Registry[], pool: Pool) {
  new Gauge({
    name: 'soma_database_connections',
    help: 'Connections to the database by state',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
    },
  })
  new Gauge({
    name: 'soma_database_connections_max',
    help: 'Connections to the database that this process may open',
    registers,
    collect() {
      this.set(pool.options.max)
    },
  })
  new Gauge({
    name: 'soma_database_waiting',
    help: 'Calls that wait for a connection to the database',
    registers,
    collect() {
      this.set(pool.waitingCount)
    },
  })
}
