import { beforeAll, describe, expect, test } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { moneyFault } from '../../../helpers/server/money-fault.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

/* What the office does for a caller, over the real server. */

overIndexedDb((server) => {
  let admin: Person
  beforeAll(async () => {
    admin = await server().admin()
  })

  const office = (
    op: 'assignDriver' | 'correctDelivery' | 'reportFor' | 'sendCode',
    id: string,
    body: object = {},
  ) => server().said(op, admin, id, body)
  const give = (id: string, driver: string | null, reason = 'Bike broke down') =>
    office('assignDriver', id, { driver, reason })
  const seenBy = async ({ token }: Person, id: string): Promise<Delivery> =>
    present((await server().ask('getDelivery', { token, id })).value).delivery
  const jobsOf = async ({ token }: Person, since?: string) =>
    present(
      (
        await server().ask('driverDeliveries', {
          token,
          query: { include_completed: 'true', since },
        })
      ).value,
    )

  async function accepted() {
    const [ama, yaw, kofi] = [
      await server().sender(),
      await server().driver(),
      await server().driver(),
    ]
    const made = await server().delivery(ama)
    await server().drive(made, yaw, 'Accepted')
    return { ama, yaw, kofi, id: made.ID, made }
  }

  describe('R192: the office gives a job to another driver', () => {
    test('who has it without having accepted; the former one loses it, and every side reads why', async () => {
      const { ama, yaw, kofi, id } = await accepted()
      const { cursor } = await jobsOf(yaw)
      expect(await give(id, kofi.user.ID)).toBe(200)
      const last = { status: 'Accepted', by: 'office', reason: 'Bike broke down' }
      for (const reader of [ama, kofi]) {
        const seen = await seenBy(reader, id)
        expect(seen.driver?.id).toBe(kofi.user.ID)
        expect(seen.history?.at(-1)).toMatchObject(last)
      }
      expect((await jobsOf(kofi)).deliveries.map(({ ID }) => ID)).toEqual([id])
      const left = await jobsOf(yaw, cursor)
      expect(left).toMatchObject({ removed: [id], taken: [{ ID: id, reason: 'Bike broke down' }] })
      // He is free again, and she is not.
      const other = await server().delivery(await server().sender())
      expect(await server().said('acceptDelivery', yaw, other.ID)).toBe(200)
      expect(await server().said('acceptDelivery', kofi, other.ID)).toMatch(/^409/)
    })

    test('R191: what the former driver did offline is 409 with the reason, whatever it was', async () => {
      const { yaw, kofi, made, id } = await accepted()
      const occurredAt = new Date(server().clock.now()).toISOString()
      await give(id, kofi.user.ID)
      const refusal = expect.objectContaining({
        status: 409,
        reason: 'wrong-status',
        message: 'Support took this job off you: Bike broke down',
      })
      const { token } = yaw
      await expect(
        server().ask('changeStatus', { token, id, body: { status: 'Picked Up' }, occurredAt }),
      ).rejects.toEqual(refusal)
      const body = { code: present(made.deliveryCode) }
      await expect(server().ask('completeDelivery', { token, id, body })).rejects.toEqual(refusal)
      await expect(
        server().ask('releaseJob', { token, id, body: { reason: 'Flat' } }),
      ).rejects.toEqual(refusal)
      expect((await seenBy(kofi, id)).status).toBe('Accepted')
      // The new driver's own request for it, made before they heard, counts as done.
      expect(await server().said('acceptDelivery', kofi, id)).toBe(200)
      await server().changeStatus(kofi, id, 'Picked Up')
      expect((await seenBy(kofi, id)).status).toBe('Picked Up')
    })

    test('or puts it back on offer, also for the driver who had it, whom that costs no accept', async () => {
      const { ama, yaw, id } = await accepted()
      for (let times = 0; times < 4; times++) {
        expect(await give(id, null)).toBe(200)
        expect(await server().said('acceptDelivery', yaw, id)).toBe(200)
      }
      await give(id, null, 'Not at the door')
      const seen = await seenBy(ama, id)
      expect(seen).toMatchObject({ status: 'Pending' })
      expect(seen.driver).toBeUndefined()
      expect(seen.incidents?.at(-1)).toMatchObject({ by: 'office', driver: yaw.user.ID })
      const stored = present(await server().repo.read(({ deliveries }) => deliveries.get(id)))
      const transfers = await server().repo.read(({ ledger }) => ledger.of(id))
      expect(moneyFault(stored, transfers)).toBeUndefined()
    })

    test('refuses what cannot be', async () => {
      const { ama, yaw, kofi, id } = await accepted()
      const busy = await accepted()
      const pending = await server().verify(await server().signUp('driver'))
      expect(await give(id, busy.yaw.user.ID)).toBe('409 driver-busy')
      expect(await give(id, ama.user.ID)).toBe('409 not-approved')
      expect(await give(id, pending.user.ID)).toBe('409 not-approved')
      expect(await give(id, yaw.user.ID)).toBe('409 wrong-status')
      expect(await give(id, '00000000-0000-4000-8000-000000000000')).toBe('404 not-found')
      expect(await give('00000000-0000-4000-8000-000000000000', null)).toBe('404 not-found')
      expect(await office('assignDriver', id, { driver: null })).toMatch(/^400/)
      await server().changeStatus(yaw, id, 'Picked Up')
      expect(await give(id, kofi.user.ID)).toBe('409 wrong-status')
    })
  })

  test('R132: nobody of the office does so with a delivery of their own', async () => {
    const made = await server().delivery(admin)
    expect(await give(made.ID, (await server().driver()).user.ID)).toBe('403 not-allowed')
    expect(await office('correctDelivery', made.ID, { recipientName: 'Esi', reason: 'x' })).toBe(
      '403 not-allowed',
    )
    expect(await office('reportFor', made.ID, { side: 'sender', issue: 'x' })).toBe(
      '403 not-allowed',
    )
    expect(await office('sendCode', made.ID)).toBe('403 not-allowed')
    await server().changeStatus(admin, made.ID, 'Cancelled')
  })

  test('R193: the office corrects a request, and both sides read what and why', async () => {
    const { yaw, id } = await accepted()
    const body = {
      recipientPhone: '0209999999',
      dropoffZone: 'Madina',
      dropoffPlace: { text: 'Blue gate' },
    }
    expect(await office('correctDelivery', id, { ...body, reason: 'She called' })).toBe(200)
    const seen = await seenBy(yaw, id)
    expect(seen).toMatchObject({ ...body, status: 'Accepted' })
    expect(seen.history?.at(-1)).toMatchObject({
      status: 'Accepted',
      by: 'office',
      reason: 'She called',
      corrected: expect.arrayContaining(['dropoffPlace', 'dropoffZone', 'recipientPhone']),
    })
    const again = (more: object) => office('correctDelivery', id, { reason: 'x', ...more })
    expect(await again(body)).toMatch(/^400 invalid/)
    expect(await again({ dropoffZone: 'Nowhere' })).toBe('400 unknown-zone')
    const { value } = await server().ask('zones')
    const rename = async (from: string, name: string) => {
      const zone = present(value?.zones.find(({ Name }) => Name === from))
      await server().ask('changeZone', { token: admin.token, id: zone.ID, body: { name } })
    }
    // R206: the delivery may have the former name of a zone, and be given one.
    await rename('Madina', 'Madina Market')
    await rename('Kaneshie', 'Kaneshie Market')
    expect(await again({ dropoffZone: 'Madina', dropoffPlace: { text: 'Red gate' } })).toBe(200)
    expect((await seenBy(yaw, id)).dropoffZone).toBe('Madina')
    expect(await again({ dropoffZone: 'Kaneshie' })).toBe(200)
    expect((await seenBy(yaw, id)).dropoffZone).toBe('Kaneshie')
    // By two names it is one zone.
    const sameByName = { pickupZone: 'Kaneshie Market', dropoffZone: 'Kaneshie' }
    expect(await again(sameByName)).toBe('400 same-zones')
    expect(await again({ pickupZone: 'Kaneshie Market' })).toBe('400 same-zones')
    await rename('Madina', 'Madina')
    await rename('Kaneshie', 'Kaneshie')
    expect(await again({ dropoffZone: seen.pickupZone })).toBe('400 same-zones')
    expect(await again({ recipientPhone: yaw.phone })).toBe('409 own-request')
    expect(await again({ offer: 100 })).toBe('409 wrong-status')
    await server().changeStatus(yaw, id, 'Picked Up')
    expect(await again({ pickupPlace: { text: 'Red gate' } })).toBe('409 wrong-status')
    expect(await again({ dropoffPlace: {} })).toBe(200)
    expect((await seenBy(yaw, id)).dropoffPlace).toBeUndefined()
  })

  test('R193: the office raises an offer, which drivers find by its zones', async () => {
    const made = await server().delivery(await server().sender(), { offer: 40 })
    expect(await office('correctDelivery', made.ID, { offer: 55, reason: 'She called' })).toBe(200)
    const stored = present(await server().repo.read(({ deliveries }) => deliveries.get(made.ID)))
    expect(stored.offer).toBe(55)
    expect(stored.history?.at(-1)).toMatchObject({ offer: 55, by: 'office' })
    const transfers = await server().repo.read(({ ledger }) => ledger.of(made.ID))
    expect(moneyFault(stored, transfers)).toBeUndefined()
    expect(await office('correctDelivery', made.ID, { offer: 50, reason: 'x' })).toBe('400 invalid')
    expect(await office('correctDelivery', made.ID, { dropoffZone: 'Madina', reason: 'x' })).toBe(
      '409 wrong-status',
    )
  })

  test('R194: the office approves for a sender, which says nothing of how the driver was paid', async () => {
    const [ama, yaw] = [await server().sender(), await server().driver()]
    const made = await server().delivery(ama)
    const id = made.ID
    await server().drive(made, yaw, 'Delivered')
    const { token } = admin
    const body = { status: 'Approved' as const, reason: 'She lost her phone' }
    await expect(
      server().ask('changeStatus', { token, id, body: { ...body, paidBy: 'cash' } }),
    ).rejects.toMatchObject({ status: 400 })
    await expect(
      server().ask('changeStatus', { token: ama.token, id, body }),
    ).rejects.toMatchObject({ status: 400 })
    await server().ask('changeStatus', { token, id, body })
    expect(await seenBy(yaw, id)).toMatchObject({
      status: 'Approved',
      payout: { status: 'waiting' },
    })
    expect((await seenBy(ama, id)).history?.at(-1)).toMatchObject({
      by: 'office',
      reason: body.reason,
    })
  })

  test('R195: the office opens a dispute for a side, which reads it as its own', async () => {
    const { ama, yaw, id } = await accepted()
    expect(await office('reportFor', id, { side: 'driver', issue: 'Nobody is there' })).toBe(201)
    const reports = async ({ token }: Person) =>
      (await server().ask('getDelivery', { token, id })).value?.disputes
    expect(await reports(yaw)).toMatchObject([
      { issue: 'Nobody is there', type: 'driver_issue', status: 'open' },
    ])
    expect(await reports(ama)).toEqual([])
    expect(await seenBy(ama, id)).toMatchObject({ disputed: true })
    const pending = await server().delivery(await server().sender())
    expect(await office('reportFor', pending.ID, { side: 'driver', issue: 'x' })).toBe(
      '409 wrong-status',
    )
  })

  test('R196: the office sends the code to the number that the sender has confirmed', async () => {
    const { ama, made, id } = await accepted()
    expect(await office('sendCode', id)).toBe(200)
    const text = server().sms.findLast(({ to }) => to === ama.phone)?.text
    expect(text).toContain(present(made.deliveryCode))
    expect(text).not.toContain(made.itemDescription)
    const guest = await server().guestDelivery()
    expect(await office('sendCode', guest.delivery.ID)).toBe('409 wrong-status')
  })
})
