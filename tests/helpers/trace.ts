type TraceEvent = {
  name: string
  tdur?: number
  pid: number
  tid: number
  args?: { name?: string }
}

/**
 * The tasks of pages' main threads longer than 50 ms, from a trace, in milliseconds. The time of the thread's
 * own processor, so that what else this machine does meanwhile is not counted.
 */
export function longTasks(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const mains = traceEvents.filter(
    ({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain',
  )
  const isMain = ({ pid, tid }: TraceEvent) =>
    mains.some((each) => each.pid === pid && each.tid === tid)
  return traceEvents
    .filter((event) => event.name.endsWith('RunTask') && isMain(event))
    .map(({ tdur = 0 }) => Math.round(tdur / 1_000))
    .filter((took) => took > 50)
}
