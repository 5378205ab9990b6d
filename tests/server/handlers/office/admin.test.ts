import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { defaultItems, defaultZones } from '#domain/choices.ts'
import { ignoresPassword, seed } from '#server/node/startup/first-rows.ts'
import { present, startTestServer } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()

const refused = (reason: string) => expect.objectContaining({ reason })

test('a new server has eighteen zones, twelve item types and one admin', async () => {
  const zones = await server.ask('zones')
  expect(zones.value?.zones.map(({ Name }) => Name)).toEqual([...defaultZones])
  const items = await server.ask('adminItems', { token: admin.token })
  expect(items.value?.items.map(({ Name }) => Name)).toEqual([...defaultItems])
  expect(admin.user).toMatchObject({ role: 'admin', Verified: true, phone_number: '' })
})

test('R86: zones and items are added once, without regard to case, and removed', async () => {
  const key = v7()
  const about = { token: admin.token }
  const added = await server.ask('addZone', { ...about, key, body: { name: '  Airport City ' } })
  expect(added.value?.zone).toEqual({ ID: key, Name: 'Airport City' })
  for (const name of ['AIRPORT CITY', 'Aírpɔrt City'])
    await expect(server.ask('addZone', { ...about, body: { name } })).rejects.toEqual(
      refused('name-taken'),
    )
  const names = async () => (await server.ask('zones')).value?.zones.map(({ Name }) => Name)
  expect((await names())?.at(-1)).toBe('Airport City')
  await server.ask('removeZone', { ...about, id: key })
  expect(await names()).not.toContain('Airport City')
  await expect(server.ask('removeZone', { ...about, id: key })).rejects.toEqual(
    refused('not-found'),
  )

  // Routes are written with these (R95).
  for (const name of ['*', 'Osu|Tema'])
    await expect(server.ask('addZone', { ...about, body: { name } })).rejects.toEqual(
      refused('invalid'),
    )

  const item = present((await server.ask('addItem', { ...about, body: { name: 'Kente' } })).value)
  await server.ask('removeItem', { ...about, id: item.item.ID })
})

describe('R165: a zone’s centre and roads', () => {
  const zones = async () => present((await server.ask('zones')).value).zones
  const zone = async (name: string) => present((await zones()).find(({ Name }) => Name === name))
  const kmTo = async (from: string, to: string) =>
    (await zone(from)).roads?.find((road) => road.to === to)?.km
  const change = async (name: string, body: BodyOf<'changeZone'>) =>
    server.ask('changeZone', { token: admin.token, id: (await zone(name)).ID, body })

  test('a new server knows the centres and the 47 roads of its zones', async () => {
    const all = await zones()
    expect(await zone('Osu')).toMatchObject({ lat: 5.554, lng: -0.184 })
    expect(all.every(({ lat, lng }) => lat !== undefined && lng !== undefined)).toBe(true)
    expect(all.flatMap(({ roads = [] }) => roads)).toHaveLength(2 * 47)
    expect([await kmTo('Tema', 'Spintex'), await kmTo('Spintex', 'Tema')]).toEqual([15.5, 15.5])
  })

  test('a list of roads replaces the zone’s whole list, both ways, and an empty one removes it', async () => {
    const { value } = await change('Tema', { roads: [{ to: 'Madina', km: 24.5 }] })
    expect(value?.zone).toMatchObject({ Name: 'Tema', roads: [{ to: 'Madina', km: 24.5 }] })
    expect(await zone('Tema')).toEqual(value?.zone)
    expect(await kmTo('Madina', 'Tema')).toBe(24.5)
    expect(await kmTo('Spintex', 'Tema')).toBeUndefined()
    expect(await kmTo('Madina', 'Adenta')).toBe(3.5)
    await change('Madina', { roads: [{ to: 'Tema', km: 25 }] })
    expect(await kmTo('Tema', 'Madina')).toBe(25)
    await change('Tema', { roads: [] })
    expect((await zone('Tema')).roads).toBeUndefined()
    expect((await zone('Madina')).roads).toBeUndefined()
    expect(await zone('Tema')).toMatchObject({ lat: 5.645, lng: 0.002 })
  })

  test('a centre is both numbers, and a road is between two zones there are', async () => {
    await change('Tema', { lat: 5.6, lng: 0.01 })
    expect(await zone('Tema')).toMatchObject({ lat: 5.6, lng: 0.01 })
    const refusals: [BodyOf<'changeZone'>, string][] = [
      [{ lat: 5 }, 'invalid'],
      [{ lng: 0 }, 'invalid'],
      [{ lat: 91, lng: 0 }, 'invalid'],
      [{ roads: [{ to: 'Nowhere', km: 1 }] }, 'unknown-zone'],
      [{ roads: [{ to: 'Tema', km: 1 }] }, 'invalid'],
      [{ roads: [{ to: 'Osu', km: 0 }] }, 'invalid'],
      [{ roads: [{ to: 'Osu', km: 500.1 }] }, 'invalid'],
      [{ roads: [1, 2].map((km) => ({ to: 'Osu', km })) }, 'invalid'],
    ]
    const before = await zone('Tema')
    for (const [body, reason] of refusals)
      await expect(change('Tema', body), JSON.stringify(body)).rejects.toEqual(refused(reason))
    expect(await zone('Tema')).toEqual(before)
  })

  test('what an admin has changed or removed stays so when the server starts again', async () => {
    await change('Tema', { roads: [] })
    const before = await zones()
    const last = present(before.at(-1))
    await server.ask('removeZone', { token: admin.token, id: last.ID })
    const again = await startTestServer(server.database)
    expect((await zone('Tema')).roads).toBeUndefined()
    expect((await again.ask('zones')).value?.zones).toHaveLength(before.length - 1)
    await again.close()
  })
})

test('R4: drivers are approved and rejected as their status allows', async () => {
  const yaw = await server.verify(await server.signUp('driver'))
  const review = (status: 'approved' | 'rejected') =>
    server.ask('reviewDriver', { token: admin.token, id: yaw.user.ID, body: { status } })
  const rejected = await review('rejected')
  expect(rejected.value?.driver).toMatchObject({ ID: yaw.user.ID, Status: 'rejected' })
  await expect(review('rejected')).rejects.toEqual(refused('wrong-status'))
  await review('approved')
  await expect(review('approved')).rejects.toEqual(refused('wrong-status'))
  await review('rejected')
  const status = await server.ask('driverStatus', { token: yaw.token })
  expect(status.value?.status).toBe('rejected')
  const ama = await server.sender()
  await expect(
    server.ask('reviewDriver', {
      token: admin.token,
      id: ama.user.ID,
      body: { status: 'approved' },
    }),
  ).rejects.toEqual(refused('not-found'))
  const { value } = await server.ask('adminDriversWithDetails', {
    token: admin.token,
    query: { status: 'rejected' },
  })
  expect(value?.drivers.map(({ ID }) => ID)).toEqual([yaw.user.ID])
  expect(value?.total).toBe(1)
})

test('R42: the dashboard shows counts, and the revenue of Approved deliveries in cedis', async () => {
  const stats = async () =>
    present((await server.ask('adminStats', { token: admin.token })).value).stats
  const before = await stats()
  const [ama, efua, yaw] = [await server.sender(), await server.sender(), await server.driver()]
  await server.signUp('driver')
  const made = await server.delivery(ama, { offer: 10.1 })
  await server.delivery(efua, { offer: 99 })
  await server.drive(made, yaw, 'Delivered')
  await server.changeStatus(ama, made.ID, 'Approved')
  const after = await stats()
  expect(after).toEqual({
    totalUsers: before.totalUsers + 4,
    totalDeliveries: before.totalDeliveries + 2,
    totalRevenue: expect.closeTo(before.totalRevenue + 10.1, 6),
    pendingDeliveries: before.pendingDeliveries + 1,
    work: expect.any(Array),
    pendingDrivers: before.pendingDrivers + 1,
    openDisputes: before.openDisputes,
    waiting: expect.any(Object),
  })
  const { value } = await server.ask('adminActivities', { token: admin.token })
  const types = value?.activities.map(({ Type }) => Type)
  expect(types?.slice(0, 3)).toEqual(['delivery_created', 'delivery_created', 'user_signup'])
  expect(types).toContain('driver_approved')
  expect(types).toContain('driver_rejected')
})

test('R85: deliveries are narrowed by route and day, and counted by status', async () => {
  const ama = await server.sender()
  const route = { pickupZone: 'Labone', dropoffZone: 'Spintex' }
  const made = await server.delivery(ama, route)
  const today = made.createdAt.slice(0, 10)
  const ask = async (query: Record<string, string>) =>
    present((await server.ask('adminDeliveries', { token: admin.token, query })).value)
  const narrow = { ...route, createdFrom: today, createdTo: today }
  expect(await ask(narrow)).toMatchObject({ total: 1, counts: { Pending: 1 } })
  // The counts are of every status, whatever status the rows are narrowed to.
  const none = await ask({ ...narrow, status: 'Approved' })
  expect(none).toMatchObject({ total: 0, deliveries: [], counts: { Pending: 1 } })
  expect(await ask({ ...narrow, status: 'Pending,Pending' })).toMatchObject({ total: 1 })
  expect(await ask({ ...narrow, createdFrom: '2999-12-31' })).toMatchObject({ total: 0 })
  for (const day of [
    '2026-02-30',
    '2026-1-1',
    '0100-01-01',
    '9999-12-31',
    'today',
    `${today}T00:00`,
  ])
    await expect(ask({ createdTo: day }), day).rejects.toEqual(refused('invalid'))
})

test('R74: admin lists are searched, sorted and paged, and have a total', async () => {
  for (const name of ['Zainab Quartey', 'abena quartey', 'Kwame Quartey'])
    await server.sender({ name })
  const list = async (query: Record<string, string>) => {
    const { value } = await server.ask('adminUsers', { token: admin.token, query })
    return { names: value?.users.map(({ name }) => name), total: value?.total, next: value?.next }
  }
  const sorted = ['abena quartey', 'Kwame Quartey', 'Zainab Quartey']
  expect(await list({ search: 'QUARTEY', sort: 'name' })).toMatchObject({ names: sorted, total: 3 })
  expect((await list({ search: 'quartey', sort: '-name' })).names).toEqual([...sorted].reverse())
  const first = await list({ search: 'quartey', sort: 'name', limit: '2' })
  expect(first).toMatchObject({ names: sorted.slice(0, 2), total: 3 })
  const rest = await list({
    search: 'quartey',
    sort: 'name',
    limit: '2',
    after: present(first.next),
  })
  expect(rest).toMatchObject({ names: sorted.slice(2), next: undefined })
  // Wildcards are taken literally.
  expect((await list({ search: '%' })).total).toBe(0)
  expect((await list({ search: "'; --" })).total).toBe(0)

  const yaw = await server.driver({ name: 'Yaw Searched' })
  const ama = await server.sender()
  const made = await server.delivery(ama, { itemDescription: 'A rare violin', offer: 77 })
  const find = async (query: Record<string, string>) => {
    const answer = await server.raw('GET', `/admin/deliveries?${new URLSearchParams(query)}`, {
      token: admin.token,
    })
    return answer.json()
  }
  expect((await find({ search: 'VIOLIN' })).deliveries[0]).not.toHaveProperty('Deliverer')
  await server.drive(made, yaw, 'Accepted')
  const found = await find({ search: 'yaw searched' })
  expect(found.total).toBe(1)
  expect(found.deliveries[0]).toMatchObject({
    ID: made.ID,
    Deliverer: { Name: 'Yaw Searched', Email: yaw.email },
    driver: { name: 'Yaw Searched' },
    deliveryCode: made.deliveryCode,
  })
  const offers = (await find({ sort: '-offer' })).deliveries.map(
    ({ offer }: { offer: number }) => offer,
  )
  expect(offers).toEqual([...offers].sort((a: number, b: number) => b - a))
  expect((await find({ status: 'Accepted', limit: '1' })).total).toBe(1)
  // The order of a way's list alone (R164).
  const query = '/admin/deliveries?sort=detour'
  expect((await server.raw('GET', query, { token: admin.token })).status).toBe(400)
})

test('R1: an admin created by an earlier version loses its default phone, or gets ADMIN_PHONE; a password that is not the admin’s is known to change nothing', async () => {
  for (const [phone, expected] of [
    [undefined, ''],
    ['0244999001', '0244999001'],
    ['0200000000', '0200000000'],
  ] as const) {
    const old = await startTestServer()
    const { user } = await old.admin()
    await old.repo.transaction(({ users }) => users.change(user.ID, { phone_number: '0200000000' }))
    const first = { email: user.email, password: 'correct horse battery', phone }
    await Promise.all([seed(old.ports, first), seed(old.ports, first)])
    expect((await old.admin()).user).toMatchObject({ phone_number: expected, Verified: true })
    // Another account's phone is not changed, even if it is the default one.
    const ama = await old.sender(phone === '0200000000' ? {} : { phone_number: '0200000000' })
    await seed(old.ports, first)
    const { value } = await old.ask('me', { token: ama.token })
    expect(value?.user.phone_number).toBe(ama.phone)
    if (phone === undefined) {
      expect(await ignoresPassword(old.ports, first)).toBe(false)
      expect(await ignoresPassword(old.ports, { email: first.email })).toBe(false)
      const later = { ...first, password: 'set much later' }
      await seed(old.ports, later)
      expect(await ignoresPassword(old.ports, later)).toBe(true)
      expect(await ignoresPassword(old.ports, { ...first, email: 'other@soma.local' })).toBe(true)
    }
    await old.close()
  }
})
