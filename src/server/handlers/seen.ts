import type { Actor, Delivery } from '#domain/delivery.ts'
import { Status } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { seenBy } from '#domain/permissions.ts'
import { pageIn } from '../handler.ts'
import type { DeliveryList, DeliveryPage, StoredDelivery, Stores } from '../repo.ts'

/** A delivery as it leaves: what this actor may see of it, with the names guests' answers also carry (spec §3). */
export function shown(actor: Actor | undefined, stored: StoredDelivery): Delivery | undefined {
  const { version: _, ...delivery } = stored
  const seen = seenBy(actor, delivery)
  if (!seen?.isGuestDelivery || seen.senderName === undefined) return seen
  const guest = { GuestSenderName: seen.senderName, GuestSenderPhone: seen.senderPhone }
  return { ...seen, ...guest }
}

/** Refusal: not-found, when they may not know of it. */
export function shownTo(actor: Actor | undefined, stored: StoredDelivery | undefined): Delivery {
  const seen = stored && shown(actor, stored)
  if (!seen) throw new Refusal('not-found')
  return seen
}

type Query = Parameters<typeof pageIn>[0] & { since?: string; status?: string }

/** The answer to any list of deliveries (interfaces: reading less). Refusal: invalid. */
export async function answerList(
  stores: Stores,
  actor: Actor,
  list: DeliveryList,
  query: Query,
): Promise<{ body: { deliveries: Delivery[] } & Omit<DeliveryPage, 'rows'>; tag: string }> {
  const page = pageIn(query)
  const asked = statusesIn(query.status)
  const { statuses } = list
  const narrowed = asked ? asked.filter((each) => !statuses || statuses.includes(each)) : statuses
  const found = await stores.deliveries.list({ ...list, statuses: narrowed }, page, query.since)
  const { rows, ...rest } = found
  const deliveries = rows.flatMap((row) => shown(actor, row) ?? [])
  const versions = rows.map(({ ID, version }) => `${ID}:${version}`)
  return {
    body: { deliveries, ...rest },
    tag: JSON.stringify([versions, rest.removed, rest.next]),
  }
}

/** One status or several with commas between. Refusal: invalid. */
export function statusesIn(status: string | undefined): Status[] | undefined {
  if (!status) return undefined
  return status.split(',').map((each) => {
    const parsed = Status.safeParse(each.trim())
    if (!parsed.success) throw new Refusal('invalid', 'There is no such delivery status.')
    return parsed.data
  })
}
