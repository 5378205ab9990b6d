import { createHash } from 'node:crypto'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import {
  fromBase64url,
  trackSeed,
  trackTokenOf,
} from '#domain/deliveries/handover/handover-link.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()

const typed = ['0551234567', 'Recipientname', 'Blue gate']

/** A delivery with an acceptance that can be repeated under its key. */
async function begun() {
  const ama = await server.sender({ name: 'Ama Sendername' })
  const yaw = await server.driver({ name: 'Yaw Drivername' })
  const made = await server.delivery(ama, {
    recipientName: 'Esi Recipientname',
    recipientPhone: '0551234567',
    pickupPlace: { text: 'Blue gate' },
  })
  const acceptance = { token: yaw.token, id: made.ID, key: v7() }
  const accept = async () => JSON.stringify((await server.ask('acceptDelivery', acceptance)).value)
  const withdraw = async (key?: string) => {
    const path = `/requests/${acceptance.key}/withdraw`
    return (await server.raw('POST', path, { token: yaw.token, key, body: {} })).text()
  }
  const ofSender = [...typed, ama.phone, ama.email, 'Sendername']
  const ofDriver = [yaw.phone, yaw.email, 'Drivername']
  return { ama, yaw, made, accept, withdraw, ofSender, ofDriver }
}

/** Every answer of the table that this person can read a delivery from. */
async function everythingReadBy({ token }: Person, id: string): Promise<string> {
  const answers: string[] = []
  for (const op of Object.keys(endpoints) as Op[]) {
    const { method, path, access }: Endpoint = endpoints[op]
    if (method !== 'GET' || op === 'me' || access === 'admin' || access === 'office') continue
    const at = `${path.replace(':id', id)}?include_completed=true`
    const response = await server.raw('GET', at, { token })
    if (response.ok) answers.push(await response.text())
  }
  return answers.join('\n')
}

const found = (texts: string[], answer: string) => texts.filter((text) => answer.includes(text))

test.each(['Approved', 'Cancelled'] as const)(
  'R129: no answer shows the other side’s contact once it is %s, a repeated one neither, but while an issue is open',
  async (end) => {
    const { ama, yaw, made, accept, ofSender, ofDriver } = await begun()
    expect(found(ofSender, await accept())).toEqual(ofSender)
    expect(found(ofSender, await accept())).toEqual(ofSender)
    const about = { token: yaw.token, id: made.ID }
    if (end === 'Approved') {
      await server.ask('changeStatus', { ...about, body: { status: 'Picked Up' } })
      const code = present(made.deliveryCode)
      await server.ask('completeDelivery', { ...about, body: { code } })
    }
    const ending = { token: ama.token, id: made.ID, key: v7(), body: { status: end } }
    const ended = await server.ask('changeStatus', ending)
    expect(found(ofDriver, JSON.stringify(ended.value))).toEqual([])

    const isClosed = async () => {
      expect(found(ofSender, await everythingReadBy(yaw, made.ID))).toEqual([])
      expect(found(ofSender, await accept())).toEqual([])
      const sendersOwn = await everythingReadBy(ama, made.ID)
      expect(found([...ofSender, ...ofDriver], sendersOwn)).toEqual(ofSender)
    }
    await isClosed()
    const { ID } = await server.report(ama, made.ID)
    expect(found(ofSender, await everythingReadBy(yaw, made.ID))).toEqual(ofSender)
    expect(found(ofDriver, await everythingReadBy(ama, made.ID))).toEqual(ofDriver)
    await server.ask('resolveDispute', {
      token: admin.token,
      id: ID,
      body: { status: 'resolved', resolution: 'Found' },
    })
    await isClosed()
  },
)

test('R129: whoever gave a job back reads no contact from the repeated acceptance, nor by taking it back', async () => {
  const { yaw, made, accept, withdraw, ofSender } = await begun()
  await accept()
  const key = v7()
  expect(found(ofSender, await withdraw(key))).toEqual(ofSender)
  const release = { token: yaw.token, id: made.ID, body: { reason: 'Flat tyre' } }
  await server.ask('releaseJob', release)
  for (const answer of [await accept(), await withdraw(), await withdraw(key)])
    expect(found(ofSender, answer)).toEqual([])
  await server.drive(made, await server.driver(), 'Accepted')
  expect(found(ofSender, await accept())).toEqual([])
})

test('R129: a number that was changed since does not come with a rating, and the new average does', async () => {
  const { ama, yaw, made } = await begun()
  await server.drive(made, yaw, 'Delivered')
  const ended = { token: ama.token, id: made.ID }
  await server.ask('changeStatus', { ...ended, body: { status: 'Approved' } })
  const changed = server.newPhone()
  await server.ask('changePhone', { token: yaw.token, body: { phone_number: changed } })
  const code = server.codeSentTo(changed)
  await server.ask('confirmPhone', { token: yaw.token, body: { phone_number: changed, code } })
  await server.ask('rateDelivery', { ...ended, body: { stars: 5 } })
  const stored = await server.repo.read(({ deliveries }) => deliveries.get(made.ID))
  expect(stored?.driver?.phone).toBe(yaw.phone)
  expect(JSON.stringify(stored)).not.toContain(changed)
})

test('R101: the third job that a driver gives back in a day is told to the office', async () => {
  const yaw = await server.driver({ name: 'Yaw Reader' })
  const told = async () => {
    const { value } = await server.ask('adminActivities', { token: admin.token })
    return present(value).activities.filter(({ Message }) => Message.includes('Yaw Reader ('))
      .length
  }
  const counts: number[] = []
  for (let times = 0; times < 4; times++) {
    const { ID } = await server.delivery(await server.sender())
    await server.ask('acceptDelivery', { token: yaw.token, id: ID })
    await server.ask('releaseJob', { token: yaw.token, id: ID, body: { reason: 'No time' } })
    counts.push(await told())
  }
  expect(counts).toEqual([0, 0, 1, 1])
})

test('R111: a day after the end the track token opens nothing, whatever was rated since', async () => {
  const { secret, hashes } = drawHandover()
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama, hashes)
  await server.drive(made, yaw, 'Delivered')
  const ended = { token: ama.token, id: made.ID }
  await server.ask('changeStatus', { ...ended, body: { status: 'Approved' } })
  const hash = createHash('sha256')
    .update(trackSeed(fromBase64url(secret)))
    .digest()
  const token = trackTokenOf(hash)
  const look = async () => (await server.raw('GET', `/handover/${made.ID}`, { token })).status
  const hour = 60 * 60_000
  server.clock.advance(23 * hour)
  await server.ask('rateDelivery', { ...ended, body: { stars: 5 } })
  expect(await look()).toBe(200)
  server.clock.advance(2 * hour)
  expect(await look()).toBe(404)
})
