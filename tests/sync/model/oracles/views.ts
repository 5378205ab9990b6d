import { isGuestRecordValid } from '#domain/deliveries/guest.ts'
import { visiblePart } from '#domain/deliveries/permissions.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import type { StoredDelivery } from '#server/ports/repo.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { Phone } from '../devices/phone.ts'
import type { Simulation } from '../scenario/settings.ts'
import { same } from './same.ts'

/** S5 and S10: when it is quiet, a phone shows what the server has, all of it and nothing else. */
export async function checkViews(world: Simulation): Promise<void> {
  await checkGuests(world)
  await checkPeople(world)
}

async function checkGuests(world: Simulation): Promise<void> {
  const deliveries = await world.deliveries()
  for (const phone of world.phones) {
    const db = phone.observer()
    const { rows, guests } = await world.time.whileBusy(async () => ({
      rows: await db.deliveries.toArray(),
      guests: await db.guests.toArray(),
    }))
    const followed = guests
      .filter(
        (record) => record.guestToken && isGuestRecordValid(record, world.time.now() + phone.skew),
      )
      .sort((a, b) => b.createdAt.localeCompare(a.createdAt))
      .slice(0, 3)
      .map(({ id }) => id)
    for (const row of rows)
      if (row.account === 'guest' && followed.includes(row.ID))
        compare(world, phone, row, deliveries, { guestOf: row.ID })
  }
}

/** As whoever is logged in sees it. */
export async function checkPeople(world: Simulation): Promise<void> {
  const deliveries = await world.deliveries()
  for (const phone of world.phones) {
    const db = phone.observer()
    const { session, rows } = await world.time.whileBusy(async () => ({
      session: await db.sessions.get('current'),
      rows: await db.deliveries.toArray(),
    }))
    if (!session || session.expired) continue
    const { user } = await world.time.whileBusy(() => userOf(world, session.account))
    if (!same(user, session.user)) {
      world.reportFault(
        'S5',
        `${phone.name} takes ${user.name} for ${JSON.stringify(session.user)}`,
      )
      continue
    }
    const mine = rows.filter(({ account }) => account === session.account)
    for (const row of mine) compare(world, phone, row, deliveries, { user })
    complete(world, phone, user, mine, deliveries)
  }
}

async function userOf(world: Simulation, id: string): Promise<{ user: User }> {
  const user = await world.server.repo.read(({ users }) => users.get(id))
  if (!user) throw new Error('Nobody by that ID')
  return { user }
}

function compare(
  world: Simulation,
  phone: Phone,
  row: DeliveryRow,
  deliveries: StoredDelivery[],
  actor: Parameters<typeof visiblePart>[0],
) {
  const stored = deliveries.find(({ ID }) => ID === row.ID)
  const say = (what: string) => world.reportFault('S5', `${phone.name}: ${row.ID} ${what}`)
  if (!stored) {
    if (row.known) say('is not at the server at all')
    else if (row.marks.length === 0) say('is neither known nor meant')
    return
  }
  if (!row.known) return row.marks.length > 0 ? undefined : say('is known to the server, not here')
  const { version: _, ...delivery } = stored
  const seen = visiblePart(actor, delivery)
  if (seen && !same(seen, row.view))
    say(`is ${JSON.stringify(seen)} and looks like ${JSON.stringify(row.view)}`)
  if (!seen && row.marks.length === 0) say('is no longer theirs to see')
}

function complete(
  world: Simulation,
  phone: Phone,
  user: User,
  rows: DeliveryRow[],
  deliveries: StoredDelivery[],
) {
  const driving = isApprovedDriver(user)
  // Of an admin no such list is kept: they look after everybody's.
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
    const [has, should] = [held, there].map((each) => each.map(({ ID }) => ID).sort())
    if (!same(has, should))
      world.reportFault('S10', `${phone.name} lists ${by} ${has} and not ${should}`)
  }
}
