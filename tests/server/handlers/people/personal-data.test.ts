import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { lifetimeOf } from '#domain/personal/retention.ts'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import { personalColumns } from '#server/postgres/personal/personal-columns.ts'
import * as tables from '#server/postgres/tables.ts'
import { allRows } from '../../../helpers/database/all-rows.ts'
import { readEvents } from '../../../helpers/server/event-reader.ts'
import {
  idNumberOf,
  type Person,
  present,
  pushService,
  type TestServer,
} from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

const place = {
  text: 'Blue gate by Marker Chapel',
  note: 'Ring twice',
  lat: 5.61234,
  lng: -0.18765,
}
const details = {
  note: 'Marker note about the parcel',
  pickupPlace: place,
  dropoffPlace: { text: 'Marker kiosk' },
  recipientName: 'Recipient Markerson',
  recipientPhone: '0559998887',
}
/** Of people whom no other test keeps. */
const ofDeleted = {
  note: 'Leave it with nobody',
  pickupPlace: { text: 'Vanished gate', note: 'Knock', lat: 5.54321, lng: -0.12345 },
  dropoffPlace: { text: 'Vanished kiosk' },
  recipientName: 'Vanished Recipient',
  recipientPhone: '0558887776',
}
const hosted = (letter: string) => `http://localhost:8080/api/images/${letter.repeat(64)}.jpg`

overBothAdapters((server, adapter) => {
  const read = async (token: string) =>
    present((await server().ask('myData', { token })).value).data
  const remove = (token: string | undefined, body: object = {}) =>
    server().raw('DELETE', '/users/me', { token, body })
  const said = async (answer: Response) => {
    const { reason, message } = await answer.json()
    return [answer.status, reason ?? message]
  }
  const isKnown = async (token: string) =>
    (await server().raw('GET', '/users/me', { token })).status === 200

  /** A request from its creation to the payment. */
  async function carried(sender: Person, driver: Person): Promise<Delivery> {
    const made = await server().delivery(sender, { ...details, itemPhoto: hosted('e') })
    await server().drive(made, driver, 'Delivered')
    await server().changeStatus(sender, made.ID, 'Approved')
    return made
  }

  test('R215: a person downloads what is held about them, and nothing of the other party or of secrets', async () => {
    const [ama, yaw] = [
      await server().sender({ name: 'Ama Sendersurname' }),
      await server().driver({ name: 'Yaw Driversurname' }),
    ]
    const made = await carried(ama, yaw)
    const own = JSON.stringify(await read(ama.token))
    for (const text of [ama.user.name, ama.email, ama.phone, made.ID, ...textsOf(details)])
      expect(own).toContain(text)
    for (const text of [yaw.phone, yaw.email, 'Driversurname', 'passwordHash', ama.token])
      expect(own).not.toContain(text)
    const data = await read(yaw.token)
    expect(Object.keys(data)).toEqual(
      expect.arrayContaining(['users', 'applications', 'sessions', 'deliveries']),
    )
    const driven = JSON.stringify(data)
    for (const text of [yaw.email, yaw.phone, idNumberOf(yaw.phone), made.ID])
      expect(driven).toContain(text)
    for (const text of [ama.phone, ama.email, 'Sendersurname', details.recipientPhone])
      expect(driven).not.toContain(text)
    expect(driven).not.toContain('deliveryCode')
    // An admin who sends reads the other side as anybody does.
    const guest = await server().guestDelivery()
    expect(JSON.stringify(await read((await server().admin()).token))).not.toContain(guest.phone)
    expect(JSON.stringify(await read(guest.token))).toContain(guest.phone)
  })

  test('R216: an account is deleted with its password alone, and not while something of it is open', async () => {
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const right = { password: ama.password }
    expect(await said(await remove(ama.token, { password: 'not the one' }))).toEqual([
      403,
      'wrong-password',
    ])
    expect(await said(await remove(ama.token))).toEqual([403, 'wrong-password'])
    expect(await said(await remove(undefined, right))).toEqual([401, 'no-session'])
    const made = await server().delivery(ama)
    expect(await said(await remove(ama.token, right))).toEqual([409, 'open'])
    await server().drive(made, yaw, 'Delivered')
    expect(await said(await remove(yaw.token, { password: yaw.password }))).toEqual([409, 'open'])
    const { ID } = await server().report(ama, made.ID)
    const admin = await server().admin()
    await server().ask('resolveDispute', {
      token: admin.token,
      id: ID,
      body: { status: 'resolved', resolution: 'Settled', decision: 'release' },
    })
    const late = await server().report(yaw, made.ID, 'Later', 'driver_issue')
    expect(await said(await remove(ama.token, right))).toEqual([409, 'open'])
    await server().ask('resolveDispute', {
      token: admin.token,
      id: late.ID,
      body: { status: 'resolved', resolution: 'Settled' },
    })
    expect(await said(await remove(ama.token, right))).toEqual([200, 'Your account was deleted.'])
    expect(await isKnown(ama.token)).toBe(false)
    const login = await server().raw('POST', '/login', { body: { email: ama.email, ...right } })
    expect(login.status).toBe(401)
    expect(await said(await remove(admin.token, { password: admin.password }))).toEqual([
      403,
      'not-allowed',
    ])
    // Both are free again.
    await server().sender({ email: ama.email, phone_number: ama.phone })
  })

  test('R216: the other party reads “Deleted user”, and gets the row again', async () => {
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const [made, other] = [await carried(ama, yaw), await server().sender()]
    const own = await carried(other, yaw)
    const list = async (query: Record<string, string> = {}) =>
      (
        await server().ask('driverDeliveries', {
          token: yaw.token,
          query: { include_completed: 'true', ...query },
        })
      ).value
    const { cursor } = present(await list())
    const stream = readEvents(await server().raw('GET', '/events', { token: yaw.token }))
    await expect.poll(stream.hello).toBeDefined()
    await remove(ama.token, { password: ama.password })
    await expect.poll(stream.news).toContainEqual({ about: 'delivery', id: made.ID })
    const changed = present(await list({ since: present(cursor) }))
    expect(changed.deliveries.map(({ ID }) => ID)).toEqual([made.ID])
    expect(changed.deliveries[0]).toMatchObject({
      sender: { id: ama.user.ID, name: 'Deleted user' },
      senderName: 'Deleted user',
      offer: made.offer,
      status: 'Approved',
    })
    // And the driver's in turn.
    await remove(yaw.token, { password: yaw.password })
    const seen = await server().ask('getDelivery', { token: other.token, id: own.ID })
    expect(seen.value?.delivery).toMatchObject({
      driver: { id: yaw.user.ID, name: 'Deleted user' },
      recipientName: details.recipientName,
    })
  })

  test('R216: a guest deletes what their token shows, or a code by SMS, long after it ended too', async () => {
    const guest = await server().guestDelivery({ senderName: 'Guest Markerson' })
    const { ID: id } = guest.delivery
    expect(await said(await remove(guest.token))).toEqual([409, 'open'])
    const cancel = (by: typeof guest) =>
      server().ask('changeGuestStatus', {
        token: by.token,
        id: by.delivery.ID,
        body: { status: 'Cancelled', guestPhone: by.phone },
      })
    await cancel(guest)
    expect(await said(await remove(guest.token))).toEqual([200, 'Your delivery was deleted.'])
    expect((await remove(guest.token)).status).toBe(401)
    const admin = await server().admin()
    const seen = await server().ask('getDelivery', { token: admin.token, id })
    expect(seen.value?.delivery.senderName).toBe('Deleted user')
    expect(seen.value?.delivery.recipientName).toBeFalsy()

    const old = await server().guestDelivery()
    await cancel(old)
    server().clock.advance(100 * 24 * 3_600_000)
    const guestPhone = old.phone
    await server().ask('recoverGuest', { body: { guestPhone, erase: true } })
    const code = server().codeSentTo(guestPhone)
    const wrong = code === '000000' ? '000001' : '000000'
    expect(await said(await remove(undefined, { guestPhone, code: wrong }))).toEqual([
      400,
      'wrong-sms-code',
    ])
    expect((await remove(undefined, { guestPhone, code })).status).toBe(200)
    const fresh = await server().admin()
    const after = await server().ask('getDelivery', { token: fresh.token, id: old.delivery.ID })
    expect(after.value?.delivery.senderPhone).toBeFalsy()
  })

  test('R218: lines of the dashboard are deleted after the days of the retention table', async () => {
    const list = () =>
      server().repo.read(async ({ activities }) => (await activities.list(1_000)).length)
    expect(await list()).toBeGreaterThan(0)
    const later = (by: number) => ({ ...server().ports, clock: () => server().clock.now() + by })
    const before = await list()
    await expireOldRows(later(0))
    expect(await list()).toBeLessThanOrEqual(before)
    await expireOldRows(later(lifetimeOf('activity') + 60_000))
    expect(await list()).toBe(0)
  })

  describe.runIf(adapter === 'PostgreSQL')('in the tables', () => {
    test('R215, R216: every column is said to hold what it holds of a person', async () => {
      const { rows } = await server()
        .pool()
        .query<{ name: string; column: string }>(
          `select table_name::text as name, column_name::text as column from information_schema.columns
         where table_schema = 'public' and is_generated = 'NEVER'`,
        )
      const known = Object.entries(tables).flatMap(([name, table]) =>
        is(table, PgTable)
          ? Object.entries(getTableColumns(table))
              .filter(([key]) => key in personalColumns[name as keyof typeof personalColumns])
              .map(([, column]) => `${getTableName(table)}.${column.name}`)
          : [],
      )
      expect(rows.map(({ name, column }) => `${name}.${column}`).sort()).toEqual(known.sort())
    })

    test('R216: of a deleted sender and driver no table holds a name, number, photo, place or token', async () => {
      const [ama, yaw] = [
        await server().sender({ name: 'Amina Markersender' }),
        await server().driver({
          name: 'Yakubu Markerdriver',
          idNumber: 'GHA-777666555-4',
          idPhoto: hosted('d'),
        }),
      ]
      await liveOf(server(), ama, yaw)
      const marks = [
        ...[ama, yaw].flatMap(({ user, email, phone }) => [user.name, email, phone]),
        ...textsOf(ofDeleted),
        'marker-push',
        'Markerbank',
        '0201112223',
        'GHA-777666555-4',
        'DV-MARKER-1',
        'MARKERCD',
        'Marker attempt',
        'c'.repeat(64),
        'f'.repeat(64),
        'a'.repeat(64),
      ]
      const held = async () => {
        const { audit: _, ...rows } = await allRows(present(server().database.url))
        const all = JSON.stringify(rows).toLowerCase()
        return marks.filter((mark) => all.includes(mark.toLowerCase()))
      }
      expect(await held()).toEqual(marks)
      const count = async () =>
        Number(
          (
            await server()
              .pool()
              .query('select count(*)::int as n from requests where person = any($1)', [
                [ama.user.ID, yaw.user.ID],
              ])
          ).rows[0].n,
        )
      expect(await count()).toBeGreaterThan(2)
      for (const { token, password } of [ama, yaw])
        expect((await remove(token, { password })).status).toBe(200)
      // What garbage collection still has to delete is named by its file alone.
      await server().pool().query('delete from photos where not is_used')
      expect(await held()).toEqual([])
      expect(await count()).toBe(0)
    })

    test('R217: the audit names people by ID, and shows who they are now', async () => {
      const admin = await server().admin()
      await server().driver()
      const { audit: rows } = await allRows(present(server().database.url))
      expect(rows?.length).toBeGreaterThan(0)
      expect(rows?.join('\n')).not.toMatch(/@/)
      const query = { search: admin.email }
      const { value } = await server().ask('adminAudit', { token: admin.token, query })
      expect(value?.entries[0]).toMatchObject({ Actor: admin.email })
    })
  })
})

/** Every text of an object. */
const textsOf = (value: object): string[] =>
  Object.values(value).flatMap((each) =>
    typeof each === 'object' ? textsOf(each) : typeof each === 'string' ? [each] : [],
  )

/** Everything that a sender and a driver leave behind. */
async function liveOf(server: TestServer, ama: Person, yaw: Person) {
  const { token } = yaw
  const body = (of: object) => ({ token, key: crypto.randomUUID(), body: of as never })
  await server.ask(
    'changeDriverCard',
    body({ photo: hosted('c'), licenceNumber: 'DV-MARKER-1', licenceExpires: '2031-01-01' }),
  )
  await server.ask(
    'changePayout',
    body({ phone: '0201112223', network: 'mtn', name: 'Markerbank Driver' }),
  )
  await server.ask(
    'changeCommutes',
    body({ commutes: [{ from: 'Osu', to: 'Tema', days: [1], notify: true }] }),
  )
  const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
  for (const person of [ama, yaw])
    await server.ask('subscribe', {
      token: person.token,
      body: { endpoint: `${pushService}/marker-push-${person.user.ID}`, keys },
    })
  await server.ask('changeProfile', { token, body: { email: `now-${yaw.email}` } })
  yaw.email = `now-${yaw.email}`
  const at = new Date(server.clock.now()).toISOString()
  await server.repo.transaction(({ devices }) =>
    devices.add({ code: 'MARKERCD', at, queueLength: 1, userId: ama.user.ID }),
  )
  const made = await server.delivery(ama, { ...ofDeleted, itemPhoto: hosted('a') })
  const id = made.ID
  // Given back once, and carried by somebody else then: the incident still names them.
  await server.ask('acceptDelivery', { token, id, key: crypto.randomUUID() })
  await server.ask('releaseJob', {
    token,
    id,
    key: crypto.randomUUID(),
    body: { reason: 'Flat tyre' },
  })
  const kofi = await server.driver()
  await server.drive(made, kofi, 'Delivered')
  await server.ask('changeStatus', {
    token: ama.token,
    id,
    key: crypto.randomUUID(),
    body: { status: 'Approved' },
  })
  const second = await server.delivery(ama, ofDeleted)
  await server.drive(second, yaw, 'Picked Up')
  await server.ask('reportAttempt', {
    token,
    id: second.ID,
    body: { reason: 'absent', note: 'Marker attempt', photo: hosted('f') },
  })
  const dispute = await server.report(yaw, second.ID, 'Nobody there', 'driver_issue')
  const admin = await server.admin()
  await server.ask('resolveDispute', {
    token: admin.token,
    id: dispute.ID,
    body: { status: 'resolved', resolution: 'Settled', decision: 'refund' },
  })
}
