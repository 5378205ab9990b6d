import { hasAny } from '#store/database/has-any.ts'
import { unsentStates } from '#store/outbox/entry.ts'
import type { Tools } from '../platform/context.ts'
import type { Drained } from './sender.ts'

/** Milliseconds after which what another tab sends is looked at again. */
const lookAgain = 5_000
/** What takes longer to send may be left to the worker: this tab may be closed any moment. */
const patience = 2_000

/**
 * Sends what may be sent; undefined when another tab, or the worker, is at it. The sender is loaded
 * when there is something to send: a visitor's first page does without it.
 */
export async function send(tools: Tools, wakeWorker: () => void): Promise<Drained | undefined> {
  const { db, clock } = tools
  if (!(await hasAny(db.outbox.where('state').anyOf(unsentStates))))
    return { stale: new Set(), refused: new Set(), bytes: 0 }
  const late = clock.setTimeout(wakeWorker, patience)
  const { drain } = await import('./sender.ts')
  const drained = await drain(tools).finally(() => clock.clearTimeout(late))
  if (drained?.nextAt !== undefined) wakeWorker()
  return drained
}

/** When to look after another tab that sends: should it be killed, what it left is ours to go on with. */
export async function busyElsewhere({ db, clock }: Tools): Promise<number> {
  const waits = await hasAny(db.outbox.where('state').anyOf('waiting', 'sending', 'retrying'))
  return waits ? clock.now() + lookAgain : Number.POSITIVE_INFINITY
}
