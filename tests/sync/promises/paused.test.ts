import { expect, test } from 'vitest'
import { minute } from '#domain/product.ts'
import { pausedUntil } from '#store/queries/config/office.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import { createClock } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const fixture = serverOfFile()

/** A guest's phone whose request has come while the office pauses for an hour. */
async function pausedPhone() {
  const server = fixture.server()
  const set = (until: number | null) =>
    server.ask('changeSettings', {
      token: server.admin.token,
      body: { pausedUntil: until === null ? null : new Date(until).toISOString() },
    })
  const until = server.clock.now() + 60 * minute
  await set(until)
  const clock = createClock()
  const phone = await fixture.startedPhone({ clock })
  await phone.engine.refresh({ kind: 'config' })
  await phone.commands.requestDelivery(await filledDraft(phone.commands), 'guest')
  await phone.settle()
  const request = async () =>
    (await phone.db.outbox.toArray()).find(({ op }) => op === 'createGuestDelivery')
  const sent = () =>
    fixture.network().passed.filter(({ path }) => path.endsWith('/guest/deliveries')).length
  return { server, phone, clock, set, until, request, sent }
}

test('S88: a request that comes during a pause waits until its end, whatever wakes the phone, and goes by itself', async () => {
  const { server, phone, clock, until, request, sent } = await pausedPhone()
  expect(await pausedUntil(phone.db, server.clock.now())).toBe(until)
  expect(await request()).toMatchObject({ state: 'retrying', error: { reason: 'paused' } })
  await phone.engine.wake()
  expect(sent()).toBe(1)
  server.clock.advance(60 * minute)
  clock.pass(61 * minute)
  await phone.settle()
  expect(await request()).toMatchObject({ state: 'done' })
  expect(sent()).toBe(2)
  expect(await phone.db.guests.count()).toBe(1)
})

test('S88: it goes as soon as the phone hears that requests are taken again', async () => {
  const { phone, set, request } = await pausedPhone()
  await set(null)
  await phone.engine.refresh({ kind: 'config' })
  await phone.settle()
  expect(await request()).toMatchObject({ state: 'done' })
  expect((await phone.db.deliveries.toArray())[0]).toMatchObject({ marks: [] })
})
