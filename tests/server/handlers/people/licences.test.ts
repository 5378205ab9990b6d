import { expect, test } from 'vitest'
import { type Person, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/* A courier licence that an approved driver changes (R139). */

const day = 24 * 60 * 60_000
const server = await serverFixture()
const admin = await server.admin()

const dayIn = (by: number) => new Date(server.clock.now() + by * day).toISOString().slice(0, 10)
const card = (yaw: Person, licenceNumber: string, days: number) =>
  server.said('changeDriverCard', yaw, '', {
    licenceNumber,
    licenceExpires: licenceNumber && dayIn(days),
  })
const check = (yaw: Person, licence: string) =>
  server.said('reviewDriver', admin, yaw.user.ID, { licence })
const licencesOf = async (yaw: Person) => {
  const { licence, licencePending } = present(
    (await server.ask('me', { token: yaw.token })).value,
  ).user
  return [licence?.number, licencePending?.number]
}

test('R139: a changed licence is shown as not checked, to the sender and the office, and counts once accepted', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  expect(await card(yaw, 'CL-1', 100)).toBe(200)
  expect(await licencesOf(yaw)).toEqual([undefined, 'CL-1'])
  expect(await check(yaw, 'accepted')).toBe(200)
  expect(await licencesOf(yaw)).toEqual(['CL-1', undefined])
  expect(await card(yaw, 'CL-2', 200)).toBe(200)
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Accepted')
  const seen = async () =>
    present((await server.ask('getDelivery', { token: ama.token, id: made.ID })).value).delivery
      .driver
  expect(await seen()).toMatchObject({
    licence: { number: 'CL-1' },
    licencePending: { number: 'CL-2', expires: dayIn(200) },
  })
  const { value } = await server.ask('adminDrivers', { token: admin.token })
  const application = value?.drivers.find(({ ID }) => ID === yaw.user.ID)
  expect(application).toMatchObject({
    licence: { number: 'CL-1' },
    licencePending: { number: 'CL-2' },
  })
  expect(await check(yaw, 'accepted')).toBe(200)
  expect(await seen()).toMatchObject({ licence: { number: 'CL-2' } })
  expect((await seen())?.licencePending).toBeUndefined()
  expect(await check(yaw, 'accepted')).toBe('409 wrong-status')
})

test('R139: refused, the licence before stays; entered as before, nothing waits', async () => {
  const yaw = await server.driver()
  await card(yaw, 'CL-1', 100)
  await check(yaw, 'accepted')
  await card(yaw, 'CL-2', 100)
  expect(await check(yaw, 'refused')).toBe(200)
  expect(await licencesOf(yaw)).toEqual(['CL-1', undefined])
  await card(yaw, 'CL-3', 100)
  await card(yaw, 'CL-1', 100)
  expect(await licencesOf(yaw)).toEqual(['CL-1', undefined])
  for (const body of [{ licence: 'maybe' }, {}, { licence: 'accepted', status: 'approved' }])
    expect(await server.said('reviewDriver', admin, yaw.user.ID, body)).toBe('400 invalid')
})

test('R139: an expired licence counts until the new one is checked, and is not removed', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama)
  await card(yaw, 'CL-1', 10)
  await check(yaw, 'accepted')
  server.clock.advance(11 * day)
  const accept = () => server.said('acceptDelivery', yaw, made.ID)
  expect(await accept()).toBe('403 licence-expired')
  expect(await card(yaw, '', 0)).toBe('403 licence-expired')
  expect(await card(yaw, 'CL-2', 300)).toBe(200)
  expect(await accept()).toBe('403 licence-expired')
  expect(await check(yaw, 'accepted')).toBe(200)
  expect(await accept()).toBe(200)
})

test('R139: a licence that is over counts at once, and one of a driver who is not approved yet', async () => {
  const [yaw, kojo] = [await server.driver(), await server.verify(await server.signUp('driver'))]
  expect(await card(yaw, 'CL-1', -1)).toBe(200)
  expect(await licencesOf(yaw)).toEqual(['CL-1', undefined])
  expect(await card(kojo, 'CL-2', 100)).toBe(200)
  expect(await licencesOf(kojo)).toEqual(['CL-2', undefined])
})
