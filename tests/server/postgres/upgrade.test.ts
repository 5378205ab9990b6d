import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openPostgres } from '#server/postgres/repo.ts'
import { prepareDatabase } from '#server/postgres/role.ts'
import {
  admin,
  createOldDatabase,
  deliveries,
  drivers,
  epoch,
  password,
  pendingDriver,
  rejectedDriver,
  senders,
} from '../../helpers/database/old-database.ts'
import { ask } from '../../helpers/database/postgres.ts'
import { quickPasswords } from '../../helpers/server/dexie-server.ts'
import { present, startTestServer, type TestServer } from '../../helpers/server/server.ts'

/* This version serves a database of version 1.2 (migrations 0000 to 0005). */

let server: TestServer
let ownerUrl: string
beforeAll(async () => {
  const name = `soma_old_${randomBytes(6).toString('hex')}`
  await ask(inject('postgresUrl'), `create database ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  ownerUrl = url.href
  await createOldDatabase(ownerUrl)
  const prepared = await prepareDatabase(ownerUrl)
  expect(prepared.problem).toBeUndefined()
  const drop = () => ask(inject('postgresUrl'), `drop database ${name} with (force)`)
  const database = { url: prepared.url, open: () => openPostgres(prepared.url), drop }
  server = await startTestServer(database, { passwords: quickPasswords })
})
afterAll(async () => {
  await server.close()
  await server.database.drop()
})

async function get(path: string, token: string) {
  const answer = await server.raw('GET', path, { token })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

const idsOf = ({ deliveries: rows }: { deliveries: { ID: string }[] }) =>
  rows.map(({ ID }) => ID).sort()

test('old sessions and old passwords still work', async () => {
  for (const each of [admin, ...senders, ...drivers, pendingDriver, rejectedDriver]) {
    expect((await get('/users/me', each.token)).user).toMatchObject({
      ID: each.id,
      name: each.name,
    })
    const { value } = await server.ask('login', { body: { email: each.email, password } })
    expect(value?.user.ID).toBe(each.id)
    // The old session is listed beside the new one, under an ID by which it can be ended.
    const { sessions } = await get('/sessions', each.token)
    expect(sessions).toHaveLength(2)
    expect(new Set(sessions.map(({ id }: { id: string }) => id)).size).toBe(2)
  }
})

test('every old delivery is on the lists of its parties and of admins', async () => {
  const all = idsOf(await get('/admin/deliveries', admin.token))
  expect(all).toEqual(deliveries.map(({ id }) => id).sort())
  const own = await Promise.all(senders.map(({ token }) => get('/sender/deliveries', token)))
  expect(own.map((each) => each.deliveries.length)).toEqual(senders.map(() => 1))
  const jobs = await Promise.all(
    drivers.map(({ token }) => get('/driver/my-deliveries?include_completed=true', token)),
  )
  expect(jobs.flatMap(idsOf)).toHaveLength(10)
  const offered = await get('/driver/available-deliveries', present(drivers[4]).token)
  expect(offered.deliveries).toHaveLength(2)
  expect((await get('/admin/users', admin.token)).total).toBe(14)
  expect((await get('/admin/drivers', admin.token)).drivers).toHaveLength(7)
  expect((await get('/admin/disputes?status=all', admin.token)).disputes).toHaveLength(2)
  expect((await get('/admin/stats', admin.token)).stats).toMatchObject({
    totalDeliveries: 12,
    totalRevenue: 121,
  })
})

test('old guest tokens still open their delivery and its code', async () => {
  for (const { id, code, guestToken } of deliveries)
    if (guestToken)
      expect((await get(`/deliveries/${id}`, guestToken)).delivery).toMatchObject({
        ID: id,
        deliveryCode: code,
      })
})

describe('an old cursor', () => {
  test.each(['1', '700', '99999999999'])('%s gets the full list', async (number) => {
    const path = '/driver/my-deliveries?include_completed=true'
    for (const { token } of drivers) {
      const whole = await get(path, token)
      const since = await get(`${path}&since=${epoch}-${number}`, token)
      expect(since.removed).toBeUndefined()
      expect(idsOf(since)).toEqual(idsOf(whole))
    }
  })
})

test('active deliveries of the old version can be completed', async () => {
  const ofSenders = deliveries.filter(({ guestToken }) => !guestToken)
  const at = (status: string) => present(ofSenders.find((each) => each.status === status))
  const picked = at('Picked Up')
  const carrier = present(drivers[picked.n % 5])
  await server.ask('completeDelivery', {
    token: carrier.token,
    id: picked.id,
    body: { code: picked.code },
  })
  for (const { id, n } of [picked, at('Delivered')]) {
    const { token } = present(senders[n])
    await server.ask('changeStatus', { token, id, body: { status: 'Approved' } })
  }
  await server.ask('changeStatus', {
    token: present(senders[0]).token,
    id: at('Pending').id,
    body: { status: 'Cancelled' },
  })
  const { rows } = await server.pool().query('select sum(pesewas)::int as sum from entries')
  expect(rows).toEqual([{ sum: 0 }])
  expect((await get('/admin/stats', admin.token)).stats.totalRevenue).toBe(242)
  const { disputes } = await get('/admin/disputes', admin.token)
  const body = { status: 'resolved', resolution: 'Paid back' } as const
  await server.ask('resolveDispute', { token: admin.token, id: disputes[0].ID, body })
})

test('migrating again changes nothing', async () => {
  const dump = async () => (await server.pool().query('select * from deliveries order by id')).rows
  const before = await dump()
  await prepareDatabase(ownerUrl)
  expect(await dump()).toEqual(before)
})
