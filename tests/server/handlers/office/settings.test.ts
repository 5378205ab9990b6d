import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { minute } from '#domain/product.ts'
import { present, startTestServer, testOptions } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const help = { supportPhone: '0302123456', termsUrl: 'https://soma.example/terms' }
const server = await serverFixture({ options: { ...testOptions, help } })
const admin = await server.admin()

const refused = (reason: string) => expect.objectContaining({ reason })
const config = async () => present((await server.ask('config')).value)
const change = async (body: BodyOf<'changeSettings'>) =>
  present((await server.ask('changeSettings', { token: admin.token, body })).value).settings
const inTime = (milliseconds: number) => new Date(server.clock.now() + milliseconds).toISOString()

test('R204: the environment gives the first values, the office changes and removes them, and all stay', async () => {
  expect(await config()).toMatchObject(help)
  const { value } = await server.ask('adminSettings', { token: admin.token })
  expect(value?.settings).toEqual(help)
  const set = {
    whatsapp: '0244123456',
    announcement: 'No trips to Tema on Friday.',
    terms: 'Be kind.',
  }
  expect(await change({ ...set, supportPhone: '0302999999' })).toMatchObject({
    ...set,
    supportPhone: '0302999999',
    termsUrl: help.termsUrl,
  })
  expect(await change({ termsUrl: null, announcement: '' })).not.toHaveProperty('termsUrl')
  const again = await startTestServer(server.database, { options: { ...testOptions, help } })
  const kept = present((await again.ask('config')).value)
  expect(kept).toMatchObject({
    supportPhone: '0302999999',
    whatsapp: '0244123456',
    terms: 'Be kind.',
  })
  for (const gone of ['termsUrl', 'announcement', 'pausedUntil'])
    expect(kept).not.toHaveProperty(gone)
  await again.close()
})

test.each<[string, BodyOf<'changeSettings'>]>([
  ['a number that is none', { supportPhone: '12' }],
  ['an address that runs a script', { termsUrl: 'javascript:alert(1)' }],
  ['a pause that is over', { pausedUntil: inTime(-1) }],
  ['a pause of more than 14 days', { pausedUntil: inTime(14 * 24 * 60 * minute + 5 * minute) }],
  ['a time that is none', { pausedUntil: 'tomorrow' }],
  ['hours without end', { openingHours: { from: '06:00', to: '06:00' } }],
  ['an hour that is none', { openingHours: { from: '24:00', to: '06:00' } }],
  ['a long announcement', { announcement: 'a'.repeat(301) }],
])('R204: %s is refused and changes nothing', async (_, body) => {
  const before = await config()
  await expect(change(body)).rejects.toEqual(refused('invalid'))
  expect(await config()).toEqual(before)
})

test('R205: no request is taken while the office pauses, by nobody; the same key is taken afterwards', async () => {
  const sender = await server.sender()
  const under = await server.delivery(await server.sender())
  const driver = await server.driver()
  const until = inTime(90 * minute)
  await change({ pausedUntil: until })
  expect((await config()).pausedUntil).toBe(until)
  const ofGuest = { ...server.request(), senderName: 'Kofi', senderPhone: server.newPhone() }
  const asked = [
    { path: '/sender/deliveries', body: server.request(), token: sender.token, key: v7() },
    { path: '/guest/deliveries', body: ofGuest, key: v7() },
  ]
  const send = ({ path, ...about }: (typeof asked)[number]) =>
    server.raw('POST', path, { ...about, headers: { 'idempotency-key': about.key } })
  for (const each of asked) {
    const answer = await send(each)
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ reason: 'paused', pausedUntil: until })
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(89 * 60)
  }
  // What is under way goes on.
  await server.drive(under, driver, 'Delivered')
  server.clock.advance(90 * minute)
  expect(await config()).not.toHaveProperty('pausedUntil')
  for (const each of asked) expect((await send(each)).status).toBe(201)
})

test('R205: outside the opening hours nothing is taken until they begin, also across midnight and after a pause', async () => {
  const day = (n: number, clock: string) =>
    `${new Date(server.clock.now() + n * 24 * 60 * minute).toISOString().slice(0, 10)}T${clock}:00.000Z`
  const to = (at: string) => server.clock.advance(Date.parse(at) - server.clock.now())
  to(day(1, '22:00'))
  await change({ openingHours: { from: '06:00', to: '22:00' } })
  expect((await config()).pausedUntil).toBe(day(1, '06:00'))
  const sender = await server.sender()
  await expect(server.delivery(sender)).rejects.toMatchObject({ status: 409 })
  to(day(1, '06:00'))
  expect((await config()).pausedUntil).toBeUndefined()
  await change({ pausedUntil: day(0, '23:30') })
  expect((await config()).pausedUntil).toBe(day(1, '06:00'))
  await change({ openingHours: { from: '20:00', to: '02:00' } })
  expect((await config()).pausedUntil).toBe(day(0, '23:30'))
  await change({ openingHours: null, pausedUntil: null })
  await server.delivery(sender)
})
