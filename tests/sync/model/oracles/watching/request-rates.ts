import type { SentRequest } from '../../devices/network/sent-request.ts'
import type { ReportFault } from './report-fault.ts'

/** Requests of one path that a tab may send in a minute: one a second at most where events name it (S21), far fewer else. */
const mostOfOnePath = 40
/** Bytes of bodies that a phone of these scenarios, with its few rows, may use in a minute. */
const mostBytes = 400_000

/** Counts requests of each path, and bytes, by the minute of the world's time. */
export class RequestRates {
  private minute = 0
  private bytes = 0
  private readonly counts = new Map<string, number>()
  private readonly now: () => number
  private readonly reportFault: ReportFault

  constructor(now: () => number, reportFault: ReportFault) {
    this.now = now
    this.reportFault = reportFault
  }

  /** Each entry counts by itself: a queue that drains sends many to the same path. */
  asked(sender: string, { method, path, key, token }: SentRequest): void {
    this.turnMinute()
    const what = `${sender}: ${method} ${path} ${key ?? token ?? ''}`
    const count = (this.counts.get(what) ?? 0) + 1
    this.counts.set(what, count)
    if (count === mostOfOnePath && !/^\/(images|batch)/.test(path))
      this.reportFault('rate', `${what} was asked ${count} times within a minute`)
  }

  carried(bytes: number): void {
    this.turnMinute()
    const before = this.bytes
    this.bytes += bytes
    if (before < mostBytes && this.bytes >= mostBytes)
      this.reportFault('rate', `${this.bytes} bytes went over the network within a minute`)
  }

  private turnMinute() {
    const minute = Math.floor(this.now() / 60_000)
    if (minute === this.minute) return
    this.minute = minute
    this.bytes = 0
    this.counts.clear()
  }
}
