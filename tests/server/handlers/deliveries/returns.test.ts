import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { toBase64url } from '#domain/deliveries/handover/handover-link.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { drawHandover } from '#store/deliveries/draw-handover.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { type Person, photo, present, testOptions } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/* The ways a delivery ends otherwise than planned, over the real server. */

const minute = 60_000
const hour = 60 * minute
const endings = { ...testOptions.endings, returnShare: 0.5 }
const one = await serverFixture({ options: { ...testOptions, endings } })
const two = await serverFixture({ options: { ...testOptions, endings } }, one.database)
const admin = await one.admin()

/** A delivery with its people, taken to this status. */
async function begun(to?: 'Accepted' | 'Picked Up' | 'Delivered', over: { offer?: number } = {}) {
  const [ama, yaw] = [await one.sender(), await one.driver()]
  const { secret, hashes } = drawHandover()
  const made = await one.delivery(ama, { ...over, ...hashes })
  if (to) await one.drive(made, yaw, to)
  return { ama, yaw, id: made.ID, made, secret }
}

const now = async (id: string): Promise<Delivery> =>
  present((await one.ask('getDelivery', { token: admin.token, id })).value).delivery

/** Nothing of the money is lost: the ledger balances, and an end has divided the offer. */
async function expectMoney(id: string, over: Partial<Delivery> = {}) {
  const stored = present(await one.repo.read(({ deliveries }) => deliveries.get(id)))
  expect(stored).toMatchObject(over)
  const transfers = await one.repo.read(({ ledger }) => ledger.of(id))
  expect(moneyFault(stored, transfers)).toBeUndefined()
}

test('R101: a job that was given back is on offer again; its sender reads why, other drivers do not', async () => {
  const { ama, yaw, id } = await begun('Accepted')
  expect(await one.said('releaseJob', yaw, id, { reason: 'Flat tyre' })).toBe(200)
  expect(await now(id)).toMatchObject({ status: 'Pending' })
  expect((await now(id)).driver).toBeUndefined()
  const hers = await one.ask('getDelivery', { token: ama.token, id })
  expect(hers.value?.delivery.incidents).toMatchObject([{ kind: 'release', reason: 'Flat tyre' }])
  const other = await one.driver()
  expect(await one.said('acceptDelivery', other, id)).toBe(200)
  const his = await one.ask('getDelivery', { token: other.token, id })
  expect(JSON.stringify(his.value)).not.toContain('Flat tyre')
  expect(await one.said('releaseJob', yaw, id, { reason: 'Again' })).toBe('404 not-found')
  await expectMoney(id, { status: 'Accepted' })
})

describe('R102, R103, R104: an attempt, its wait and the return', () => {
  test('a return before the wait is 409, after it the parcel is on its way back', async () => {
    const { ama, yaw, id } = await begun('Picked Up')
    expect(await one.said('startReturn', yaw, id)).toBe('409 wait')
    expect(await one.said('reportAttempt', yaw, id, { reason: 'absent', note: 'Closed' })).toBe(200)
    expect(await one.said('startReturn', yaw, id)).toBe('409 wait')
    one.clock.advance(10 * minute)
    expect(await one.said('reportAttempt', yaw, id, { reason: 'refused' })).toBe(200)
    expect(await now(id)).toMatchObject({ status: 'Picked Up', attempts: 2 })
    expect(await one.said('startReturn', yaw, id)).toBe(200)
    const back = await now(id)
    expect(back).toMatchObject({ status: 'Picked Up', returning: { reason: 'refused' } })
    expect(back.returnCode).not.toBe(back.deliveryCode)
    expect(await one.said('reportAttempt', yaw, id, { reason: 'absent' })).toBe('409 wrong-status')
    expect(await one.said('changeStatus', ama, id, { status: 'Cancelled' })).toBe(
      '409 wrong-status',
    )
    await expectMoney(id)
  })

  const past = (from: string, by: number) => new Date(Date.parse(from) + by).toISOString()
  const attemptAt = (yaw: Person, id: string, occurredAt: string) =>
    one.raw('POST', `/driver/deliveries/${id}/attempt`, {
      token: yaw.token,
      body: { reason: 'absent' },
      headers: { 'occurred-at': occurredAt },
    })

  test('a wait that began offline counts from when the driver says', async () => {
    const { yaw, id } = await begun('Picked Up')
    const { updatedAt } = await now(id)
    one.clock.advance(30 * minute)
    expect((await attemptAt(yaw, id, past(updatedAt, 5 * minute))).status).toBe(200)
    expect((await now(id)).returnFrom).toBe(past(updatedAt, 15 * minute))
    expect(await one.said('startReturn', yaw, id)).toBe(200)
  })

  test.each([
    ['an hour before the pick-up', -hour],
    ['a year ago', -365 * 24 * hour],
    ['a day ahead', 24 * hour],
  ])('R133: a clock that says %s counts between the pick-up and the receipt', async (_, by) => {
    const { yaw, id } = await begun('Picked Up')
    const { updatedAt } = await now(id)
    expect((await attemptAt(yaw, id, past(updatedAt, by))).status).toBe(200)
    const { returnFrom = '', updatedAt: received } = await now(id)
    expect(Math.abs(Date.parse(returnFrom) - Date.parse(received) - 10 * minute)).toBeLessThan(
      minute,
    )
    expect(await one.said('startReturn', yaw, id)).toBe('409 wait')
  })

  test('R133: a whole job that is said to have been done before its request existed waits all the same', async () => {
    const { yaw, id } = await begun()
    const claimed = async (op: Op, occurredAt: string, body: object = {}) => {
      const { method, path } = endpoints[op]
      const headers = { 'occurred-at': occurredAt }
      const answer = await one.raw(method, path.replace(':id', id), {
        token: yaw.token,
        body,
        headers,
      })
      return answer.status
    }
    const { createdAt } = await now(id)
    expect(await claimed('acceptDelivery', '0001-01-01T00:00:00Z')).toBe(200)
    expect(await claimed('changeStatus', past(createdAt, -hour), { status: 'Picked Up' })).toBe(200)
    const attempted = past(createdAt, -50 * minute)
    expect(await claimed('reportAttempt', attempted, { reason: 'absent' })).toBe(200)
    expect(await claimed('startReturn', past(createdAt, -minute))).toBe(409)
    const { history = [], incidents = [], returnFrom = '' } = await now(id)
    for (const { effectiveAt } of [...history.slice(1), ...incidents])
      expect(effectiveAt).toBe(createdAt)
    expect(returnFrom).toBe(past(createdAt, 10 * minute))
    one.clock.advance(10 * minute)
    expect(await claimed('startReturn', past(createdAt, 11 * minute))).toBe(200)
  })

  test('an attempt with a photo of another host, or an unknown reason, changes nothing', async () => {
    const { yaw, id } = await begun('Picked Up')
    const bad = [
      { reason: 'absent', photo: 'https://elsewhere.test/x.jpg' },
      { reason: 'lazy' },
      { reason: 'absent', note: 'x'.repeat(2_000) },
      {},
    ]
    for (const body of bad) expect(await one.said('reportAttempt', yaw, id, body)).toMatch(/^400 /)
    expect((await now(id)).attempts).toBeUndefined()
    expect(await one.said('reportAttempt', yaw, id, { reason: 'absent', photo })).toBe(200)
  })
})

describe('R105: a confirmed return divides the offer', () => {
  test.each(['the button', 'the return code'])('by %s', async (how) => {
    const { ama, yaw, id } = await begun('Picked Up', { offer: 60.55 })
    await one.bringBack(id, yaw)
    const { returnCode = '' } = await now(id)
    const seen = await one.ask('getDelivery', { token: yaw.token, id })
    expect(JSON.stringify(seen.value)).not.toContain(returnCode)
    if (how === 'the button') expect(await one.said('confirmReturn', ama, id)).toBe(200)
    else expect(await one.said('completeDelivery', yaw, id, { code: returnCode })).toBe(200)
    await expectMoney(id, { status: 'Cancelled', outcome: 'returned', driverShare: 30.28 })
    expect(await one.said('confirmReturn', ama, id)).toBe('409 wrong-status')
  })

  test('the recipient’s code still delivers it on the way back', async () => {
    const { yaw, id, made } = await begun('Picked Up')
    await one.bringBack(id, yaw)
    expect(await one.said('completeDelivery', yaw, id, { code: made.deliveryCode })).toBe(200)
    await expectMoney(id, { status: 'Delivered' })
  })
})

describe('R106: what nobody ends is ended', () => {
  const sweepAtBoth = () =>
    Promise.all(
      [one, two, one, two].map(({ ports, clock }) =>
        settleDueDeliveries({ ...ports, clock: () => clock.now() + 49 * hour }),
      ),
    )

  test('48 hours after it was handed over it is approved, once, by whichever process looks', async () => {
    const all = []
    for (let n = 0; n < 6; n++) all.push(await begun('Delivered'))
    expect((await now(all[0]?.id ?? '')).dueAt).toBeDefined()
    await settleDueDeliveries(one.ports)
    expect((await now(all[0]?.id ?? '')).status).toBe('Delivered')
    const counts = await sweepAtBoth()
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(6)
    for (const { id } of all) {
      await expectMoney(id, { status: 'Approved' })
      expect((await now(id)).history?.at(-1)).toMatchObject({ status: 'Approved', automatic: true })
    }
    expect(await sweepAtBoth()).toEqual([0, 0, 0, 0])
  })

  test('a return that nobody confirmed becomes one dispute, and can still be confirmed', async () => {
    const { ama, yaw, id } = await begun('Picked Up')
    await one.bringBack(id, yaw)
    await sweepAtBoth()
    const disputes = await one.repo.read((stores) => stores.disputes.ofDelivery(id))
    expect(disputes).toHaveLength(1)
    expect(await now(id)).toMatchObject({ status: 'Picked Up', disputed: true })
    await sweepAtBoth()
    expect(await one.repo.read((stores) => stores.disputes.ofDelivery(id))).toHaveLength(1)
    expect(await one.said('confirmReturn', ama, id)).toBe(200)
    await expectMoney(id, { status: 'Cancelled', outcome: 'returned' })
  })

  test('R108: an open dispute blocks the approval, by hand and by itself', async () => {
    const { ama, id } = await begun('Delivered')
    await one.report(ama, id)
    expect(await one.said('changeStatus', ama, id, { status: 'Approved' })).toBe('409 disputed')
    await sweepAtBoth()
    await expectMoney(id, { status: 'Delivered', disputed: true })
  })
})

describe('R107: an admin decides', () => {
  async function disputed(to: 'Accepted' | 'Picked Up' | 'Delivered', offer = 60) {
    const begin = await begun(to, { offer })
    return { ...begin, dispute: (await one.report(begin.ama, begin.id)).ID }
  }
  const decideOn = (dispute: string, more: object) =>
    one.said('resolveDispute', admin, dispute, {
      status: 'resolved',
      resolution: 'Heard both',
      ...more,
    })

  test.each([
    ['release', {}, { status: 'Approved' }],
    ['refund', {}, { status: 'Cancelled' }],
    [
      'split',
      { driverShare: 20.01 },
      { status: 'Cancelled', outcome: 'split', driverShare: 20.01 },
    ],
    ['split', { driverShare: 0 }, { status: 'Cancelled', outcome: 'split', driverShare: 0 }],
    ['split', { driverShare: 60 }, { status: 'Cancelled', outcome: 'split', driverShare: 60 }],
  ] as const)('%s %j, once, and both sides read why', async (decision, more, end) => {
    const { ama, yaw, id, dispute } = await disputed('Delivered')
    expect(await decideOn(dispute, { decision, ...more })).toBe(200)
    await expectMoney(id, end)
    for (const { token } of [ama, yaw]) {
      const { value } = await one.ask('getDelivery', { token, id })
      expect(value?.delivery.decision).toMatchObject({ kind: decision, reason: 'Heard both' })
    }
    expect(await decideOn(dispute, { decision: 'refund' })).toBe('409 wrong-status')
    await expectMoney(id, end)
  })

  test('none moves nothing, both sides read its reason, and the 48 hours begin again', async () => {
    const { ama, id, dispute } = await disputed('Delivered')
    one.clock.advance(hour)
    expect(await decideOn(dispute, {})).toBe(200)
    const { dueAt = '', updatedAt, decision } = await now(id)
    expect(decision).toMatchObject({ kind: 'none' })
    expect(decision?.reason).toBeTruthy()
    expect(Math.abs(Date.parse(dueAt) - Date.parse(updatedAt) - 48 * hour)).toBeLessThan(minute)
    expect(await one.said('changeStatus', ama, id, { status: 'Approved' })).toBe(200)
    await expectMoney(id, { status: 'Approved' })
  })

  test('a share that is none, an unknown decision and one without a reason are refused and move nothing', async () => {
    const { id, dispute } = await disputed('Delivered')
    for (const more of [
      { decision: 'split' },
      { decision: 'split', driverShare: -1 },
      { decision: 'split', driverShare: 60.01 },
      { decision: 'split', driverShare: 1.005 },
      { decision: 'split', driverShare: 0.001 },
      { decision: 'keep' },
      { decision: 'refund', resolution: '' },
    ]) {
      expect([more, await decideOn(dispute, more)]).toEqual([more, '400 invalid'])
      await expectMoney(id, { status: 'Delivered', disputed: true })
    }
  })

  test('two admins at once decide once', async () => {
    const { id, dispute } = await disputed('Delivered')
    const answers = await Promise.all([
      decideOn(dispute, { decision: 'release' }),
      decideOn(dispute, { decision: 'refund' }),
    ])
    expect(answers.map(String).sort()).toEqual(['200', '409 wrong-status'])
    await expectMoney(id)
  })
})

describe('R110: the secret of a hand-over', () => {
  test('proves it once; a wrong one is a counted try and delivers nothing', async () => {
    const { yaw, id, secret } = await begun('Picked Up')
    const other = toBase64url(randomBytes(16))
    expect(await one.said('completeDelivery', yaw, id, { handoverSecret: other })).toBe(
      '400 wrong-code',
    )
    expect(await one.said('completeDelivery', yaw, id, { handoverSecret: secret })).toBe(200)
    expect(await one.said('completeDelivery', yaw, id, { handoverSecret: secret })).toBe(
      '409 wrong-status',
    )
  })

  test('wrong secrets and wrong digits share their tries', async () => {
    const { yaw, id, secret } = await begun('Picked Up')
    for (let n = 0; n < 5; n++) {
      const wrong = n % 2 ? { code: 'nope' } : { handoverSecret: toBase64url(randomBytes(16)) }
      expect(await one.said('completeDelivery', yaw, id, wrong)).toBe('400 wrong-code')
    }
    expect(await one.said('completeDelivery', yaw, id, { handoverSecret: secret })).toBe(
      '429 too-many',
    )
    expect((await now(id)).status).toBe('Picked Up')
  })

  test('one of other than 16 bytes is malformed', async () => {
    const { yaw, id } = await begun('Picked Up')
    for (const bytes of [15, 17, 0]) {
      const handoverSecret = toBase64url(randomBytes(bytes))
      expect(await one.said('completeDelivery', yaw, id, { handoverSecret })).toBe('400 invalid')
    }
  })

  test('a delivery without a hash has no secret that is right', async () => {
    const [ama, yaw] = [await one.sender(), await one.driver()]
    const made = await one.delivery(ama)
    await one.drive(made, yaw, 'Picked Up')
    const handoverSecret = toBase64url(randomBytes(16))
    expect(await one.said('completeDelivery', yaw, made.ID, { handoverSecret })).toBe(
      '400 wrong-code',
    )
    expect(await one.said('completeDelivery', yaw, made.ID, { code: made.deliveryCode })).toBe(200)
  })
})

test('R112: a pin keeps five decimals, whatever a client sends', async () => {
  const ama = await one.sender()
  const pickupPlace = { text: 'Blue gate', lat: 5.556_014_9, lng: -0.184_446_1 }
  const made = await one.delivery(ama, { pickupPlace })
  expect(made.pickupPlace).toEqual({ text: 'Blue gate', lat: 5.55601, lng: -0.18445 })
})

test('R110, R112: a request with a malformed hash or place is 400 and creates nothing', async () => {
  const ama = await one.sender()
  for (const bad of [
    { handoverHash: 'ab' },
    { handoverHash: 'g'.repeat(64) },
    { trackHash: 'a'.repeat(63) },
    { pickupPlace: { text: 'x'.repeat(201) } },
    { pickupPlace: { lat: 5.5 } },
    { pickupPlace: { lat: 95, lng: 0 } },
    { dropoffPlace: { lat: 5.5, lng: 181 } },
  ]) {
    const { status } = await one.raw('POST', '/sender/deliveries', {
      token: ama.token,
      key: crypto.randomUUID(),
      body: { ...one.request(), ...bad },
    })
    expect([bad, status]).toEqual([bad, 400])
  }
  const { value } = await one.ask('senderDeliveries', { token: ama.token })
  expect(value?.deliveries).toEqual([])
})

describe('R113: ratings', () => {
  async function approved(yaw?: Person) {
    const ama = await one.sender()
    const driver = yaw ?? (await one.driver())
    const made = await one.delivery(ama)
    await one.drive(made, driver, 'Delivered')
    await one.said('changeStatus', ama, made.ID, { status: 'Approved' })
    return { ama, driver, id: made.ID }
  }

  test('each side rates once, nobody else, and only what was approved', async () => {
    const { ama, driver, id } = await approved()
    const stranger = await one.sender()
    expect(await one.said('rateDelivery', stranger, id, { stars: 1 })).toBe('404 not-found')
    for (const stars of [0, 6, 2.5, '5'])
      expect(await one.said('rateDelivery', ama, id, { stars })).toBe('400 invalid')
    expect(await one.said('rateDelivery', ama, id, { stars: 5, words: 'Kind' })).toBe(200)
    expect(await one.said('rateDelivery', ama, id, { stars: 1 })).toBe('409 rated')
    expect(await one.said('rateDelivery', driver, id, { stars: 4 })).toBe(200)
    const open = await begun('Delivered')
    expect(await one.said('rateDelivery', open.ama, open.id, { stars: 4 })).toBe('409 wrong-status')
  })

  test('the average is shown from three on', async () => {
    const yaw = await one.driver()
    const shown = []
    for (const stars of [5, 4, 4]) {
      const { ama, id } = await approved(yaw)
      await one.said('rateDelivery', ama, id, { stars })
      shown.push((await one.ask('me', { token: yaw.token })).value?.user.rating)
    }
    expect(shown.slice(0, 2)).toEqual([undefined, undefined])
    expect(shown[2]).toMatchObject({ count: 3 })
    expect(shown[2]?.average).toBeCloseTo(13 / 3, 1)
  })
})

test('R114: the sender sees the driver’s card; after the licence’s last day nothing is accepted', async () => {
  const day = (by: number) => new Date(one.clock.now() + by * 24 * hour).toISOString().slice(0, 10)
  const [ama, yaw] = [await one.sender(), await one.driver()]
  const card = (body: object) => one.said('changeDriverCard', yaw, '', body)
  const check = () => one.said('reviewDriver', admin, yaw.user.ID, { licence: 'accepted' })
  expect(await card({ licenceNumber: 'CL-77', licenceExpires: day(1) })).toBe(200)
  expect(await check()).toBe(200)
  expect(await card({ licenceExpires: '2026-02-30' })).toBe('400 invalid')
  const made = await one.delivery(ama)
  expect(await one.said('acceptDelivery', yaw, made.ID)).toBe(200)
  const { driver } = await now(made.ID)
  expect(driver).toMatchObject({ licence: { number: 'CL-77' }, deliveries: 0 })
  expect(driver?.since).toBeDefined()
  await one.said('releaseJob', yaw, made.ID, { reason: 'No time' })
  expect(await card({ licenceExpires: day(-1) })).toBe(200)
  expect(await one.said('acceptDelivery', yaw, made.ID)).toBe('403 licence-expired')
  expect(await card({ licenceExpires: day(30) })).toBe(200)
  expect(await check()).toBe(200)
  expect(await card({ licenceNumber: '', licenceExpires: '' })).toBe(200)
  expect(await one.said('acceptDelivery', yaw, made.ID)).toBe(200)
})
