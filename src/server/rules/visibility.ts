import type { Actor, Delivery } from '#domain/deliveries/delivery.ts'
import { Status } from '#domain/deliveries/delivery.ts'
import { visibleFields } from '#domain/deliveries/permissions.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { readPage } from '../ports/handler.ts'
import type { Ports } from '../ports/ports.ts'
import type { DeliveryList, DeliveryPage, StoredDelivery } from '../ports/stores/delivery-stores.ts'
import type { Page } from '../ports/stores/paging.ts'
import { listCursors } from './list-cursor.ts'

/**
 * The part of a delivery that this actor may see (R50 to R53); `undefined` when none. A guest's delivery
 * also carries its sender under the names that older clients read.
 */
export function projectFor(actor: Actor | undefined, stored: StoredDelivery): Delivery | undefined {
  const { version: _, trackHash: __, payments: ___, ...delivery } = stored
  const visible = visibleFields(actor, withFewSteps(delivery))
  if (!visible?.isGuestDelivery || visible.senderName === undefined) return visible
  const guest = { GuestSenderName: visible.senderName, GuestSenderPhone: visible.senderPhone }
  return { ...visible, ...guest }
}

/** Steps and incidents that are sent of one delivery, each. Earlier versions stored thousands of attempts (R134). */
const mostSteps = 50

/** Keeps the first, from which the request's time is read, and the newest. */
function withFewSteps(delivery: Delivery): Delivery {
  const { history = [], incidents = [] } = delivery
  if (history.length <= mostSteps && incidents.length <= mostSteps) return delivery
  return { ...delivery, history: firstAndNewest(history), incidents: firstAndNewest(incidents) }
}

const firstAndNewest = <T>(steps: T[]): T[] =>
  steps.length > mostSteps ? [...steps.slice(0, 1), ...steps.slice(1 - mostSteps)] : steps

/** As `projectFor`. Refusal: not-found, when the actor may see none of it. */
export function visibleTo(actor: Actor | undefined, stored: StoredDelivery | undefined): Delivery {
  const visible = stored && projectFor(actor, stored)
  if (!visible) throw new Refusal('not-found')
  return visible
}

type Query = Parameters<typeof readPage>[0] & { since?: string; status?: string }

/** Answers lists of deliveries: pages, and what changed since a cursor (R73). `read` reads from the store. */
export function deliveryLists(ports: Pick<Ports, 'secrets' | 'clock'>) {
  const cursors = listCursors(ports)

  /** One page of this list, or what changed in it since the query's cursor. Refusal: invalid. */
  return async function readList<Found extends DeliveryPage>(
    read: (list: DeliveryList, page: Page, since?: string) => Promise<Found>,
    user: User,
    list: DeliveryList,
    query: Query,
  ): Promise<{ body: { deliveries: Delivery[] } & Omit<Found, 'rows'>; tag: string }> {
    const page = readPage(query)
    const narrowed = { ...list, statuses: intersect(list.statuses, readStatuses(query.status)) }
    const cursorOf = { reader: user, list: narrowed, search: page.search }
    const since = cursors.read(cursorOf, query.since)
    const { rows, ...rest } = await read(narrowed, page, since)
    const deliveries = rows.flatMap((row) => projectFor({ user }, row) ?? [])
    const versions = rows.map(({ ID, version }) => `${ID}:${version}`)
    // A full response in place of a delta must not become a 304: the reader still holds rows that no delta
    // names any more (R93).
    const restart = query.since !== undefined && !rest.removed ? [rest.cursor] : []
    return {
      body: { ...rest, deliveries, cursor: cursors.issue(cursorOf, rest.cursor) },
      tag: JSON.stringify([versions, rest.removed, rest.next, ...restart]),
    }
  }
}

/** The statuses that are both in the list and in the query. A query never widens a list. */
const intersect = (statuses: Status[] | undefined, asked: Status[] | undefined) =>
  asked ? asked.filter((each) => !statuses || statuses.includes(each)) : statuses

/** The `status` of a query: one or several, separated by commas. Refusal: invalid. */
export function readStatuses(status: string | undefined): Status[] | undefined {
  if (!status) return undefined
  return status.split(',').map((each) => {
    const parsed = Status.safeParse(each.trim())
    if (!parsed.success) throw new Refusal('invalid', 'There is no such delivery status.')
    return parsed.data
  })
}
