/** What the servers acknowledged, and what came in their place. */
export type Journal = ReturnType<typeof openJournal>

export type Acknowledged = {
  code: string
  /** The driver whose accept was acknowledged. */
  driver?: string
  /** Every status that was acknowledged, in the order of the responses. */
  statuses: string[]
}

type Phase = {
  name: string
  /** Milliseconds of `performance.now()`. */
  began: number
  ended: number
  /** Acknowledged changes. */
  changes: number
  reads: number
  /** Requests without a final answer: no connection, 502, 503 or 504. */
  failed: number
  /** How often each of them, by what came in place of an answer. */
  failures: Map<string, number>
  /** Calls of which at least one request failed. */
  interrupted: number
  /** Milliseconds from the fault to the end of the first change that began after it. */
  recovery?: number
  /** Milliseconds: the longest time in which no change was acknowledged. */
  gap: number
  /** Event streams that ended, and resets they were sent. */
  streamsEnded: number
  resets: number
}

export function openJournal() {
  const deliveries = new Map<string, Acknowledged>()
  const violations: string[] = []
  const phases: Phase[] = []
  let lastChange = performance.now()
  let faultAt: number | undefined
  const now = () => {
    const phase = phases.at(-1)
    if (!phase) throw new Error('No phase has begun')
    return phase
  }
  return {
    deliveries,
    violations,
    phases,
    /** Begins the phase of this name, which ends the one before. */
    begin(name: string) {
      const began = performance.now()
      this.end()
      phases.push({
        name,
        began,
        ended: began,
        changes: 0,
        reads: 0,
        failed: 0,
        failures: new Map(),
        interrupted: 0,
        gap: 0,
        streamsEnded: 0,
        resets: 0,
      })
      faultAt = undefined
      lastChange = began
    },
    end() {
      const phase = phases.at(-1)
      if (phase) phase.ended = performance.now()
    },
    /** The fault of this phase has just happened. */
    fault() {
      faultAt = performance.now()
    },
    now,
    /** A change was acknowledged whose first request was sent at `sentAt`. */
    changed(sentAt: number) {
      const phase = now()
      const at = performance.now()
      phase.changes++
      phase.gap = Math.max(phase.gap, at - lastChange)
      lastChange = at
      if (faultAt !== undefined && phase.recovery === undefined && sentAt > faultAt)
        phase.recovery = at - faultAt
    },
    /** A request got no final answer. `isFirst`: of its call. */
    failed(why: string, isFirst: boolean) {
      const phase = now()
      phase.failed++
      phase.failures.set(why, (phase.failures.get(why) ?? 0) + 1)
      if (isFirst) phase.interrupted++
    },
    violate(what: string) {
      violations.push(`${now().name}: ${what}`)
    },
  }
}
