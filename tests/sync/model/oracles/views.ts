import { visibleFields } from '#domain/deliveries/permissions.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import type { StoredDelivery } from '#server/ports/stores/delivery-stores.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { Pulled } from '#sync/database/engine-db.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/simulation.ts'
import { same } from './reference/same.ts'

const day = 24 * 3_600_000

/** S5 and S10: after all is settled a phone shows exactly what the server has. */
export async function checkViews(simulation: Simulation): Promise<void> {
  await checkGuests(simulation)
  await checkPeople(simulation)
}

async function checkGuests(simulation: Simulation): Promise<void> {
  const deliveries = await simulation.deliveries()
  for (const phone of simulation.phones) {
    const db = phone.observer()
    const { rows, guests } = await simulation.time.whileBusy(async () => ({
      rows: await db.deliveries.toArray(),
      guests: await db.guests.toArray(),
    }))
    const followed = guests
      .filter(({ guestToken, moved, createdAt, madeAt = createdAt }) => {
        // What the phone's own clock hides is asked for once an hour (S55).
        const shownFrom = Math.max(Date.parse(createdAt), Date.parse(madeAt))
        const isShown = simulation.time.now() + phone.skew - shownFrom < day
        return (
          guestToken && !moved && isShown && simulation.time.now() - Date.parse(createdAt) < day
        )
      })
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, 3)
      .map(({ id }) => id)
    for (const row of rows)
      if (row.account === 'guest' && followed.includes(row.ID))
        compare(simulation, phone, row, deliveries, { guestOf: row.ID })
  }
}

/** The delivery as the logged-in account may see it. */
export async function checkPeople(simulation: Simulation): Promise<void> {
  const deliveries = await simulation.deliveries()
  for (const phone of simulation.phones) {
    const db = phone.observer()
    const { session, rows, pages, pulls } = await simulation.time.whileBusy(async () => ({
      session: await db.sessions.get('current'),
      rows: await db.deliveries.toArray(),
      pages: await db.pages.toArray(),
      pulls: await db.pulls.toArray(),
    }))
    if (!session || session.expired) continue
    const { user } = await simulation.time.whileBusy(() => userOf(simulation, session.account))
    if (!same(user, session.user)) {
      simulation.reportFault(
        'S5',
        `${phone.name} takes ${user.name} for ${JSON.stringify(session.user)}`,
      )
      continue
    }
    // An admin is shown the pages they look at; rows of pages before are kept until they are asked for again.
    const shown = pages.flatMap(({ ids }) => ids)
    const isShown = ({ ID }: DeliveryRow) => user.role !== 'admin' || shown.includes(ID)
    const mine = rows.filter((row) => row.account === session.account && isShown(row))
    for (const row of mine) compare(simulation, phone, row, deliveries, { user })
    const own = pulls.filter(({ account }) => account === session.account)
    complete(simulation, phone, { user, rows: mine, pulls: own }, deliveries)
  }
}

async function userOf(simulation: Simulation, id: string): Promise<{ user: User }> {
  const user = await simulation.server.repo.read(({ users }) => users.get(id))
  if (!user) throw new Error('Nobody by that ID')
  return { user }
}

function compare(
  simulation: Simulation,
  phone: Phone,
  row: DeliveryRow,
  deliveries: StoredDelivery[],
  actor: Parameters<typeof visibleFields>[0],
) {
  const stored = deliveries.find(({ ID }) => ID === row.ID)
  const say = (what: string) => simulation.reportFault('S5', `${phone.name}: ${row.ID} ${what}`)
  if (!stored) {
    // What a restored server has lost with its delivery, or knows no delivery for, stays until the person dismisses it (S54).
    const said = ['lost', ...(simulation.server.wasRestored() ? ['not-found'] : [])]
    const isLost = row.gone && row.marks.some(({ error }) => error && said.includes(error.reason))
    if (row.known && !isLost) say('is not at the server at all')
    else if (row.marks.length === 0) say('is neither known nor meant')
    return
  }
  if (!row.known) return row.marks.length > 0 ? undefined : say('is known to the server, not here')
  const { version: _, trackHash: __, payments: ___, ...delivery } = stored
  const seen = visibleFields(actor, delivery)
  if (seen && !same(seen, row.view))
    say(`is ${JSON.stringify(seen)} and looks like ${JSON.stringify(row.view)}`)
  if (!seen && row.marks.length === 0) say('is no longer theirs to see')
}

function complete(
  simulation: Simulation,
  phone: Phone,
  { user, rows, pulls }: { user: User; rows: DeliveryRow[]; pulls: Pulled[] },
  deliveries: StoredDelivery[],
) {
  const driving = isApprovedDriver(user)
  // Admins have no such list: they see all deliveries.
  if (user.role === 'admin') return
  const lists = {
    sentAt: deliveries.filter(({ sender }) => sender?.id === user.ID),
    ...(driving && {
      jobAt: deliveries.filter(({ driver }) => driver?.id === user.ID),
      openAt: deliveries.filter(
        ({ status, sender }) => status === 'Pending' && sender?.id !== user.ID,
      ),
    }),
  }
  for (const [by, there] of Object.entries(lists)) {
    const held = rows.filter((row) => row[by as 'sentAt'] && row.known && !row.gone)
    const has = idsOf(held)
    const older = pulls.find(({ list }) => list.startsWith(listOf[by as 'sentAt']))?.older
    const needed = idsOf(neededOf(there, by === 'openAt', older, simulation.rowsOfPage))
    const [lacks, strange] = [without(needed, has), without(has, idsOf(there))]
    if (lacks.length + strange.length > 0)
      simulation.reportFault(
        'S10',
        `${phone.name} lists ${by} ${has}, lacks ${lacks}, not ${strange}`,
      )
  }
}

/** The list behind an index of rows, by the beginning of its key. */
const listOf = { sentAt: 'sent', jobAt: 'jobs', openAt: 'available' }

const idsOf = (rows: readonly { ID: string }[]) => rows.map(({ ID }) => ID).sort()
const without = (all: string[], some: string[]) => all.filter((each) => !some.includes(each))

/**
 * What a phone must hold of a list: all of it, or what is newer than where the list ends on this phone by
 * its own word (S50), at least the newest page. Of a list of its own also what is under way. Rows as old as
 * the last of a page may be on the next.
 */
function neededOf(
  there: StoredDelivery[],
  areOffers: boolean,
  older: Pulled['older'],
  rowsOfPage = Number.POSITIVE_INFINITY,
): StoredDelivery[] {
  if (!older) return there
  const ofPage =
    there
      .map(({ createdAt }) => createdAt)
      .sort()
      .at(-rowsOfPage) ?? ''
  const { from = ofPage } = older
  return there.filter(
    ({ createdAt, status }) =>
      createdAt > from ||
      createdAt > ofPage ||
      (!areOffers && status !== 'Approved' && status !== 'Cancelled'),
  )
}
