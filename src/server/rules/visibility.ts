import type { Actor, Delivery } from '#domain/delivery.ts'
import { Status } from '#domain/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { visiblePart } from '#domain/permissions.ts'
import type { User } from '#domain/user.ts'
import { readPage } from '../http/handler.ts'
import { listCursors } from '../http/list-cursor.ts'
import type { Ports } from '../ports/ports.ts'
import type { DeliveryList, DeliveryPage, StoredDelivery, Stores } from '../ports/repo.ts'

/** A delivery as it leaves: what this actor may see of it, with the names guests' answers also carry (spec §3). */
function projectFor(actor: Actor | undefined, stored: StoredDelivery): Delivery | undefined {
  const { version: _, ...delivery } = stored
  const seen = visiblePart(actor, delivery)
  if (!seen?.isGuestDelivery || seen.senderName === undefined) return seen
  const guest = { GuestSenderName: seen.senderName, GuestSenderPhone: seen.senderPhone }
  return { ...seen, ...guest }
}

/** Refusal: not-found, when they may not know of it. */
export function visibleTo(actor: Actor | undefined, stored: StoredDelivery | undefined): Delivery {
  const seen = stored && projectFor(actor, stored)
  if (!seen) throw new Refusal('not-found')
  return seen
}

type Query = Parameters<typeof readPage>[0] & { since?: string; status?: string }

/** Answers lists of deliveries: pages, and what changed since a cursor. */
export function deliveryLists(ports: Pick<Ports, 'secrets' | 'clock'>) {
  const cursors = listCursors(ports)

  /** One page of this list, or what changed in it since the query's cursor. Refusal: invalid. */
  return async function answerList(
    stores: Stores,
    user: User,
    list: DeliveryList,
    query: Query,
  ): Promise<{ body: { deliveries: Delivery[] } & Omit<DeliveryPage, 'rows'>; tag: string }> {
    const page = readPage(query)
    const narrowed = { ...list, statuses: intersect(list.statuses, readStatuses(query.status)) }
    const cursorOf = { reader: user, list: narrowed, search: page.search }
    const since = cursors.read(cursorOf, query.since)
    const { rows, cursor, ...rest } = await stores.deliveries.list(narrowed, page, since)
    const deliveries = rows.flatMap((row) => projectFor({ user }, row) ?? [])
    const versions = rows.map(({ ID, version }) => `${ID}:${version}`)
    return {
      body: { deliveries, ...rest, cursor: cursors.issue(cursorOf, cursor) },
      tag: JSON.stringify([versions, rest.removed, rest.next]),
    }
  }
}

/** The statuses of a list that are also asked for. A query narrows a list, and never widens it. */
const intersect = (statuses: Status[] | undefined, asked: Status[] | undefined) =>
  asked ? asked.filter((each) => !statuses || statuses.includes(each)) : statuses

/** One status or several with commas between. Refusal: invalid. */
export function readStatuses(status: string | undefined): Status[] | undefined {
  if (!status) return undefined
  return status.split(',').map((each) => {
    const parsed = Status.safeParse(each.trim())
    if (!parsed.success) throw new Refusal('invalid', 'There is no such delivery status.')
    return parsed.data
  })
}
