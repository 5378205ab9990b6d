import { supportHeader, type Transport } from '#contract/transport.ts'
import { ensureSupportCode } from '../database/device/support-code.ts'
import type { EngineDb } from '../database/engine-db.ts'
import { countAllUnsent } from '../outbox/unsent.ts'
import type { Clock } from './context.ts'

/** Milliseconds after which the report is sent again although nothing changed. */
const repeatAfter = 300_000
/** Milliseconds between two counts: a draining queue has another length with each request. */
const countAfter = 1_000

type Options = { db: EngineDb; base: string; clock: Pick<Clock, 'monotonic'> }

/**
 * A transport that reports the support code of this device and the number of its unsent entries to the
 * server at `base`, when that number has changed since the last report that had a response, somebody has logged in or
 * five minutes have passed (R92). A request neither waits for a database that does not open nor fails for it.
 */
export function reportQueue(transport: Transport, { db, base, clock }: Options): Transport {
  let counted = ''
  let countedAt = Number.NEGATIVE_INFINITY
  let reported = ''
  let reportedAt = Number.NEGATIVE_INFINITY
  /** The login under which the last report was sent that had one. */
  let reportedBy = ''

  async function dueReport(login: string): Promise<string> {
    const now = clock.monotonic()
    if (now - countedAt >= countAfter) {
      countedAt = now
      counted = `${await ensureSupportCode(db)}.${await countAllUnsent(db)}`
    }
    const isNew = counted !== reported || (login !== '' && login !== reportedBy)
    return isNew || now - reportedAt >= repeatAfter ? counted : ''
  }

  return async (request) => {
    // Files may go to another provider: it hears nothing.
    const isOurs = request.url.startsWith(`${base}/`) && db.isOpen()
    const login = request.headers.get('authorization') ?? ''
    const report = isOurs ? await dueReport(login).catch(() => '') : ''
    if (report) request.headers.set(supportHeader, report)
    const response = await transport(request)
    if (report) {
      reported = report
      reportedAt = clock.monotonic()
      reportedBy = login || reportedBy
    }
    return response
  }
}
