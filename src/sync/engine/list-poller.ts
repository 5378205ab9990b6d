import {
  deleteSubjectState,
  getSubjectState,
  putSubjectState,
} from '#store/database/device/state.ts'
import { type ListRef, listKey } from '#store/database/lists.ts'
import { type Evict, withEviction } from '#store/database/with-eviction.ts'
import type { SyncContext } from '../platform/context.ts'
import type { Environment } from '../platform/environment.ts'
import type { PollSchedule } from './poll-schedule.ts'
import type { SyncProduct } from './product.ts'
import { contactFromPull, type Reachability, type ServerContact } from './reachability.ts'

type About = {
  context: SyncContext
  environment: Environment
  product: SyncProduct
  schedule: PollSchedule
  reachability: Reachability
  subscriptions: () => Promise<ListRef[]>
  evict: Evict
}

/** Asks the server for lists when they are due, as long as somebody answers. */
export function createListPoller(about: About) {
  const { context, environment, product, schedule, reachability, subscriptions, evict } = about
  const { db, clock } = context

  /** Returns when the next list is due, milliseconds since 1970. */
  async function pullDue(): Promise<number> {
    if (!environment.isVisible()) return Number.POSITIVE_INFINITY
    const asked = new Set<string>()
    const isDue = (list: ListRef) =>
      !asked.has(listKey(list)) && schedule.due(listKey(list)) <= clock.now()
    for (;;) {
      // Looked up after each answer: a screen may have been closed or opened meanwhile.
      const lists = await subscriptions()
      const next = lists.find(isDue)
      if (!next) return Math.min(...lists.map((list) => schedule.due(listKey(list))))
      asked.add(listKey(next))
      if ((await poll(next)) === 'silent') return clock.now() + reachability.pause()
    }
  }

  async function poll(list: ListRef): Promise<ServerContact> {
    const pull = await withEviction(db, evict, () => product.pull(context, list))
    const contact = contactFromPull(pull)
    const key = listKey(list)
    if (contact === 'throttled') {
      schedule.backOff(key, pull.retryAfter)
      await putSubjectState(db, 'failing', key, true)
    }
    if (contact === 'answered' && schedule.answered(key, pull.every, pull.result === 'fresh'))
      if (await getSubjectState(db, 'failing', key)) await deleteSubjectState(db, 'failing', key)
    if (pull.result !== 'not-asked') await reachability.note(contact)
    return contact
  }

  return { pullDue, poll }
}
