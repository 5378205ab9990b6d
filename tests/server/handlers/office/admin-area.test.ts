import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { idNumberOf, type Person, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()

const refused = (reason: string) => expect.objectContaining({ reason })

async function dispute(issue = 'The box came open') {
  const ama = await server.sender()
  const made = await server.delivery(ama)
  return { id: (await server.report(ama, made.ID, issue)).ID, delivery: made, ama }
}

test('R32: an admin reads a dispute with its delivery, and resolves it once', async () => {
  const { id, delivery } = await dispute()
  const about = { token: admin.token, id }
  const { value } = await server.ask('adminDispute', about)
  expect(value?.dispute).toMatchObject({ ID: id, status: 'open', issue: 'The box came open' })
  expect(value?.delivery).toMatchObject({ ID: delivery.ID, deliveryCode: delivery.deliveryCode })
  expect(value?.delivery?.history?.map(({ status }) => status)).toEqual(['Pending'])

  const body = { status: 'resolved' as const, resolution: ' Half the price was given back. ' }
  const resolved = await server.ask('resolveDispute', { ...about, key: v7(), body })
  expect(resolved.value?.dispute).toMatchObject({
    ID: id,
    status: 'resolved',
    resolution: 'Half the price was given back.',
    ResolvedAt: expect.any(String),
  })
  await expect(server.ask('resolveDispute', { ...about, body })).rejects.toEqual(
    refused('wrong-status'),
  )
  const { value: activity } = await server.ask('adminActivities', { token: admin.token })
  expect(activity?.activities[0]?.Message).toBe(`Dispute resolved: ${delivery.itemDescription}`)
})

test('the list of disputes holds the open ones, and others when the query asks for them', async () => {
  const open = await dispute()
  const shut = await dispute()
  const body = { status: 'resolved' as const, resolution: 'Settled between them.' }
  await server.ask('resolveDispute', { token: admin.token, id: shut.id, body })
  const ids = async (status?: string) => {
    const query = status ? { status } : {}
    const { value } = await server.ask('adminDisputes', { token: admin.token, query })
    return value?.disputes.map(({ ID }) => ID) ?? []
  }
  expect(await ids()).toContain(open.id)
  expect(await ids()).not.toContain(shut.id)
  expect(await ids('resolved')).toContain(shut.id)
  expect(await ids('all')).toEqual(expect.arrayContaining([open.id, shut.id]))
})

test('R32: a resolution needs a text, an existing dispute and an admin', async () => {
  const { id, ama } = await dispute()
  const ask = (over: { token?: string; id?: string; resolution?: string }) =>
    server.ask('resolveDispute', {
      token: over.token ?? admin.token,
      id: over.id ?? id,
      body: { status: 'resolved', resolution: over.resolution ?? 'Done' },
    })
  await expect(ask({ resolution: '  ' })).rejects.toEqual(refused('invalid'))
  await expect(ask({ id: v7() })).rejects.toEqual(refused('not-found'))
  await expect(ask({ token: ama.token })).rejects.toEqual(refused('not-allowed'))
  for (const op of ['adminDispute', 'adminUser'] as const) {
    await expect(server.ask(op, { token: ama.token, id })).rejects.toEqual(refused('not-allowed'))
    await expect(server.ask(op, { token: admin.token, id: v7() })).rejects.toEqual(
      refused('not-found'),
    )
  }
})

test('R52: an admin reads a user with the deliveries they sent and those they drove', async () => {
  const [ama, yaw] = [await server.sender({ name: 'Ama Details' }), await server.driver()]
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Accepted')
  const theirs = async ({ user }: Person) =>
    present((await server.ask('adminUser', { token: admin.token, id: user.ID })).value)
  const sender = await theirs(ama)
  expect(sender.user).toMatchObject({ name: 'Ama Details', phone_number: ama.phone })
  expect(sender.deliveries.map(({ ID }) => ID)).toEqual([made.ID])
  expect(sender.total).toBe(1)
  expect(sender.application).toBeUndefined()
  const driver = await theirs(yaw)
  expect(driver.deliveries.map(({ ID }) => ID)).toEqual([made.ID])
  expect(driver.application).toMatchObject({ Status: 'approved', IDNumber: idNumberOf(yaw.phone) })
  expect(JSON.stringify(sender)).not.toContain('hash of')
})

test('drivers are counted by status, whatever the list is filtered by', async () => {
  const count = async (query: Record<string, string>) =>
    present((await server.ask('adminDriversWithDetails', { token: admin.token, query })).value)
  const before = await count({})
  await server.signUp('driver', { name: 'Efua Counted' })
  const after = await count({ search: 'efua counted' })
  expect(after.total).toBe(1)
  expect(after.counts?.pending).toBe((before.counts?.pending ?? 0) + 1)
  expect(after.counts?.approved).toBe(before.counts?.approved)
})

test('the trends have each day, its revenue, and how long deliveries took', async () => {
  const trends = async (days?: string) =>
    present((await server.ask('adminTrends', { token: admin.token, query: { days } })).value).trends
  const today = (all: Awaited<ReturnType<typeof trends>>) => present(all.days.at(-1))
  const before = today(await trends())
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama, { offer: 25.5 })
  server.clock.advance(90_000)
  await server.drive(made, yaw, 'Delivered')
  await server.changeStatus(ama, made.ID, 'Approved')
  const { days } = await trends()
  expect(days).toHaveLength(30)
  expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).sort())
  const after = today({ days })
  expect(after.day).toBe(new Date(server.clock.now()).toISOString().slice(0, 10))
  expect(after.statuses.Approved).toBe((before.statuses.Approved ?? 0) + 1)
  expect(after.revenue).toBeCloseTo(before.revenue + 25.5, 6)
  expect(after.delivered).toBe(before.delivered + 1)
  expect(after.minutes).toBeGreaterThanOrEqual(1)
  expect((await trends('7')).days).toHaveLength(7)
  for (const days of ['0', '367', '1.5', 'x'])
    await expect(trends(days)).rejects.toEqual(refused('invalid'))
})
