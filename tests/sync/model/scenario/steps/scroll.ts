import type { ListRef } from '#sync/lists/list-ref.ts'
import { listKey } from '#sync/lists/list-ref.ts'
import type { Phone } from '../../devices/phone.ts'
import type { Simulation } from '../simulation.ts'

const scrolled = [
  { list: { kind: 'sent' }, by: 'sentAt' },
  { list: { kind: 'jobs' }, by: 'jobAt' },
  { list: { kind: 'available' }, by: 'openAt' },
] as const
/** Pages after which a list that is still short is left as it is. */
const most = 10

/**
 * Everybody scrolls lists that show fewer rows than a page to their end, as the screens do by themselves: a
 * list whose newest rows have left shows older ones (S50).
 */
export async function scrollShortLists(simulation: Simulation): Promise<void> {
  if (simulation.rowsOfPage === undefined) return
  for (const phone of simulation.phones)
    for (const { list, by } of scrolled) await scroll(simulation, phone, list, by)
}

async function scroll(
  simulation: Simulation,
  phone: Phone,
  list: ListRef,
  by: (typeof scrolled)[number]['by'],
) {
  const { rowsOfPage = 0 } = simulation
  for (let page = 0; page < most; page++) {
    const { held, hasOlder } = await simulation.time.whileBusy(async () => {
      const db = phone.observer()
      const account = (await db.sessions.get('current'))?.account ?? ''
      const pulled = await db.pulls.get([account, listKey(list)])
      const held = await db.deliveries
        .where(`[account+${by}]`)
        .between([account, ''], [account, '\uffff'])
        .count()
      return { held, hasOlder: pulled?.older !== undefined }
    })
    if (!hasOlder || held >= rowsOfPage) return
    void phone.tab().soma.pullOlder(list).catch(simulation.reportUnexpected)
    await simulation.settle()
  }
}
