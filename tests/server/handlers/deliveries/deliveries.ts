import { expect, test } from 'vitest'
import type { DisputeType } from '#domain/deliveries/dispute.ts'
import { type Guest, type Person, photo, present } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

/** What callers may do with deliveries, over either database. */
export async function deliveryTests() {
  const server = await serverFixture()

  const refused = (reason: string) => expect.objectContaining({ reason })

  test('R23, R41: a delivery goes from Pending to Approved, and the driver is paid', async () => {
    const { ask, repo } = server
    const ama = await server.sender()
    const yaw = await server.driver()
    const made = await server.delivery(ama)
    expect(made).toMatchObject({
      status: 'Pending',
      itemDescription: 'Documents',
      offer: 60.5,
      isGuestDelivery: false,
      deliveryCode: expect.stringMatching(/^\d{5}$/),
      senderPhone: ama.phone,
      sender: { id: ama.user.ID, name: ama.user.name, phone: ama.phone, email: ama.email },
    })

    const found = await ask('availableDeliveries', { token: yaw.token })
    expect(found.value?.deliveries.map(({ ID }) => ID)).toContain(made.ID)

    const about = { token: yaw.token, id: made.ID }
    const accepted = present((await ask('acceptDelivery', about)).value).delivery
    expect(accepted).toMatchObject({ status: 'Accepted', driver: { id: yaw.user.ID } })
    expect(accepted.sender?.phone).toBe(ama.phone)
    const body = { status: 'Picked Up' as const, proofOfDelivery: photo }
    const picked = present((await ask('changeStatus', { ...about, body })).value).delivery
    expect(picked).toMatchObject({ status: 'Picked Up', proofOfDelivery: photo })
    const code = present(made.deliveryCode)
    const occurredAt = '2025-01-02T03:04:05.000Z'
    const done = await ask('completeDelivery', { ...about, body: { code }, occurredAt })
    expect(done.value?.delivery.status).toBe('Delivered')
    const approved = await ask('changeStatus', {
      token: ama.token,
      id: made.ID,
      body: { status: 'Approved' },
    })
    const { history, status } = present(approved.value).delivery
    expect(status).toBe('Approved')
    expect(history?.map((step) => step.status)).toEqual([
      'Pending',
      'Accepted',
      'Picked Up',
      'Delivered',
      'Approved',
    ])
    expect(history?.[3]?.occurredAt).toBe(occurredAt)
    expect(Date.parse(present(history?.[3]?.at))).toBeGreaterThan(Date.parse(occurredAt))

    const balance = (account: string) => repo.read(({ ledger }) => ledger.balance(account))
    expect(await balance(`driver:${yaw.user.ID}`)).toBe(6050)
    expect(await balance(`sender:${ama.user.ID}`)).toBe(-6050)
    expect(await balance(`promised:${made.ID}`)).toBe(0)
    const transfers = await repo.read(({ ledger }) => ledger.of(made.ID))
    expect(transfers.map(({ kind }) => kind).sort()).toEqual(['hold', 'payout', 'release'])
    for (const { entries } of transfers)
      expect(entries.reduce((sum, { pesewas }) => sum + pesewas, 0)).toBe(0)
  })

  test('R54: a guest sends without an account, tracks, and approves with token and phone together', async () => {
    const { ask } = server
    const yaw = await server.driver()
    const guest = await server.guestDelivery()
    expect(guest.delivery).toMatchObject({
      status: 'Pending',
      isGuestDelivery: true,
      senderName: 'Kofi Guest',
      deliveryCode: expect.stringMatching(/^\d{5}$/),
    })
    const id = guest.delivery.ID
    const tracked = await server.raw('GET', `/deliveries/${id}`, { token: guest.token })
    expect((await tracked.json()).delivery).toMatchObject({
      GuestSenderName: 'Kofi Guest',
      GuestSenderPhone: guest.phone,
      deliveryCode: guest.delivery.deliveryCode,
    })
    await server.drive(guest.delivery, yaw, 'Delivered')
    const about = { token: guest.token, id }
    const wrong = { status: 'Approved' as const, guestPhone: '0200000009' }
    await expect(ask('changeGuestStatus', { ...about, body: wrong })).rejects.toEqual(
      refused('wrong-phone'),
    )
    const right = { status: 'Approved' as const, guestPhone: guest.phone }
    const done = await ask('changeGuestStatus', { ...about, body: right })
    expect(done.value?.delivery.status).toBe('Approved')
    const paid = await server.repo.read(({ ledger }) => ledger.balance(`driver:${yaw.user.ID}`))
    expect(paid).toBe(6050)
  })

  test('R126: a tip is held and released apart from the offer, and both sides and the office read it', async () => {
    const { ask, repo } = server
    const admin = await server.admin()
    const stats = async () => present((await ask('adminStats', { token: admin.token })).value).stats
    const before = await stats()
    const yaw = await server.driver()
    const [ama, guest] = [await server.sender(), await server.guestDelivery()]
    const made = await server.delivery(ama)
    const ofSender = { token: ama.token, id: made.ID }
    await server.drive(made, yaw, 'Delivered')
    for (const tip of [-1, 60.51, 1.005])
      await expect(
        ask('changeStatus', { ...ofSender, body: { status: 'Approved', tip } }),
      ).rejects.toMatchObject({ status: 400, reason: 'invalid' })
    for (const status of ['Cancelled', 'Picked Up'] as const)
      await expect(
        ask('changeStatus', { ...ofSender, body: { status, tip: 5 } }),
      ).rejects.toMatchObject({ status: 400, message: 'A tip goes with an approval.' })
    const body = { status: 'Approved' as const, tip: 5.05 }
    const approved = await ask('changeStatus', { ...ofSender, body })
    expect(approved.value?.delivery).toMatchObject({ status: 'Approved', tip: 5.05 })

    const ofGuest = { token: guest.token, id: guest.delivery.ID }
    await server.drive(guest.delivery, yaw, 'Delivered')
    const all = { status: 'Approved' as const, guestPhone: guest.phone, tip: 60.5 }
    const byGuest = await ask('changeGuestStatus', { ...ofGuest, body: all })
    expect(byGuest.value?.delivery.tip).toBe(60.5)

    for (const { token } of [ama, yaw, admin]) {
      const { value } = await ask('getDelivery', { token, id: made.ID })
      expect(value?.delivery).toMatchObject({ offer: 60.5, tip: 5.05 })
    }
    const balance = (account: string) => repo.read(({ ledger }) => ledger.balance(account))
    expect(await balance(`driver:${yaw.user.ID}`)).toBe(6050 + 505 + 6050 + 6050)
    expect(await balance(`sender:${ama.user.ID}`)).toBe(-6555)
    expect(await balance(`guest:${guest.delivery.ID}`)).toBe(-12_100)
    expect(await balance(`promised:${made.ID}`)).toBe(0)
    const transfers = await repo.read(({ ledger }) => ledger.of(made.ID))
    expect(transfers.map(({ kind }) => kind).sort()).toEqual([
      'hold',
      'payout',
      'release',
      'tip-hold',
      'tip-release',
    ])
    const { totalRevenue, totalTips = 0 } = await stats()
    expect(totalTips - (before.totalTips ?? 0)).toBeCloseTo(65.55, 6)
    expect(totalRevenue - before.totalRevenue).toBeCloseTo(121, 6)
  })

  test('R41: a cancelled delivery is refunded, and its sender may request again', async () => {
    const ama = await server.sender()
    const made = await server.delivery(ama)
    await expect(server.delivery(ama)).rejects.toEqual(refused('active-delivery'))
    const about = { token: ama.token, id: made.ID }
    await server.ask('changeStatus', { ...about, body: { status: 'Cancelled' } })
    const kinds = await server.repo.read(({ ledger }) => ledger.of(made.ID))
    expect(kinds.map(({ kind }) => kind)).toEqual(['hold', 'refund'])
    const balance = (account: string) => server.repo.read(({ ledger }) => ledger.balance(account))
    expect(await balance(`sender:${ama.user.ID}`)).toBe(0)
    await server.delivery(ama)
  })

  test('R27: an admin cancels an active delivery, and none that was delivered', async () => {
    const [ama, yaw, admin] = [await server.sender(), await server.driver(), await server.admin()]
    const first = await server.delivery(ama)
    await server.drive(first, yaw, 'Picked Up')
    const cancel = (id: string) => server.changeStatus(admin, id, 'Cancelled')
    const { value } = await cancel(first.ID)
    expect(value?.delivery.status).toBe('Cancelled')
    const second = await server.delivery(ama)
    await server.drive(second, yaw, 'Delivered')
    await expect(cancel(second.ID)).rejects.toEqual(refused('wrong-status'))
  })

  test('R161: both sides and admins read in the history why it was cancelled, and by the office', async () => {
    const { ask } = server
    const [ama, yaw, admin] = [await server.sender(), await server.driver(), await server.admin()]
    const lastStep = async ({ token }: { token: string }, id: string) =>
      present((await ask('getDelivery', { token, id })).value).delivery.history?.at(-1)
    const cancel = async (by: { token: string }, id: string, reason: string) =>
      ask('changeStatus', { token: by.token, id, body: { status: 'Cancelled', reason } })

    const made = await server.delivery(ama)
    await server.drive(made, yaw, 'Accepted')
    await expect(cancel(ama, made.ID, 'x'.repeat(201))).rejects.toMatchObject({ status: 400 })
    await cancel(ama, made.ID, ' Wrong details ')
    for (const reader of [ama, yaw, admin]) {
      const step = await lastStep(reader, made.ID)
      expect(step).toMatchObject({ status: 'Cancelled', reason: 'Wrong details' })
      expect(step).not.toHaveProperty('by')
    }

    const guest = await server.guestDelivery()
    const body = { status: 'Cancelled' as const, guestPhone: guest.phone, reason: 'Too late' }
    await ask('changeGuestStatus', { token: guest.token, id: guest.delivery.ID, body })
    expect(await lastStep(guest, guest.delivery.ID)).toMatchObject({ reason: 'Too late' })

    const other = await server.delivery(ama)
    await cancel(admin, other.ID, 'Asked twice')
    const office = { status: 'Cancelled', by: 'office', reason: 'Asked twice' }
    for (const reader of [ama, admin])
      expect(await lastStep(reader, other.ID)).toMatchObject(office)

    const approved = { status: 'Approved' as const, reason: 'Well done' }
    await expect(
      ask('changeStatus', { token: ama.token, id: other.ID, body: approved }),
    ).rejects.toMatchObject({ status: 400, message: 'A reason goes with a cancel.' })
  })

  test('R24, R29: a driver has one active job', async () => {
    const [ama, efua, yaw] = [await server.sender(), await server.sender(), await server.driver()]
    const [first, second] = [await server.delivery(ama), await server.delivery(efua)]
    await server.drive(first, yaw, 'Accepted')
    const accept = (id: string) => server.ask('acceptDelivery', { token: yaw.token, id })
    await expect(accept(second.ID)).rejects.toMatchObject({
      status: 409,
      reason: 'active-job',
      message: 'You already have an active delivery. Please complete it first.',
    })
    await expect(accept(first.ID)).rejects.toEqual(refused('wrong-status'))
  })

  test('R28: proof is added from the pick-up on, with a photo of the image host, by the job’s driver only', async () => {
    const [ama, yaw] = [await server.sender(), await server.driver()]
    const made = await server.delivery(ama)
    const about = { token: yaw.token, id: made.ID }
    await server.ask('acceptDelivery', about)
    const change = (status: 'Picked Up' | 'Delivered' | 'Accepted', proofOfDelivery?: string) =>
      server.ask('changeStatus', { ...about, body: { status, proofOfDelivery } })
    await expect(change('Accepted', photo)).rejects.toEqual(refused('wrong-status'))
    await expect(change('Picked Up', 'https://evil.test/x.jpg')).rejects.toEqual(
      refused('photo-not-hosted'),
    )
    await change('Picked Up')
    const other = photo.replace('ab', 'cd')
    const proven = await change('Picked Up', other)
    expect(proven.value?.delivery).toMatchObject({ status: 'Picked Up', proofOfDelivery: other })
    await expect(change('Delivered')).rejects.toEqual(refused('wrong-status'))
    const body = { code: present(made.deliveryCode) }
    await server.ask('completeDelivery', { ...about, body })
    const after = await change('Delivered', photo)
    expect(after.value?.delivery).toMatchObject({ status: 'Delivered', proofOfDelivery: photo })
  })

  test('R20, R22: zones must be on the list and photos at the image host', async () => {
    const ama = await server.sender()
    const refuse = (over: object) => expect(server.delivery(ama, over)).rejects
    await refuse({ pickupZone: 'Atlantis' }).toEqual(refused('unknown-zone'))
    await refuse({ itemPhoto: 'https://elsewhere.test/a.jpg' }).toEqual(refused('photo-not-hosted'))
    await refuse({ itemPhoto: 'http://localhost:8080.evil.test/a.jpg' }).toEqual(
      refused('photo-not-hosted'),
    )
    await refuse({ itemPhoto: 'http://localhost:8080@evil.test/a.jpg' }).toEqual(
      refused('photo-not-hosted'),
    )
    await server.delivery(ama)
  })

  test('R160: drivers read a note, size and fragile on offer, both sides and the office ever after', async () => {
    const { ask } = server
    const said = { note: 'Keep it dry', size: 'large', fragile: true } as const
    const [admin, yaw] = [await server.admin(), await server.driver()]
    const ama = await server.sender()
    const guest = await server.guestDelivery(said)
    const made = await server.delivery(ama, { ...said, note: '  Keep it dry ' })
    const list = await ask('availableDeliveries', { token: yaw.token })
    for (const { ID } of [made, guest.delivery])
      expect(list.value?.deliveries.find((each) => each.ID === ID)).toMatchObject(said)
    const readBy = async ({ token }: { token: string }) =>
      present((await ask('getDelivery', { token, id: made.ID })).value).delivery
    expect(await readBy(yaw)).toMatchObject(said)
    await server.drive(made, yaw, 'Delivered')
    await server.changeStatus(ama, made.ID, 'Approved')
    for (const reader of [ama, yaw, admin]) expect(await readBy(reader)).toMatchObject(said)
    expect(guest.delivery).toMatchObject(said)
  })

  test('R160: what was left out or is empty is not there, and what is no note or size is refused', async () => {
    const ama = await server.sender()
    for (const wrong of [{ note: 'x'.repeat(201) }, { size: 'huge' }, { fragile: 'yes' }])
      await expect(server.delivery(ama, wrong as object)).rejects.toMatchObject({
        status: 400,
        reason: 'invalid',
      })
    const made = await server.delivery(ama, { note: '  ', fragile: false })
    for (const name of ['note', 'size', 'fragile']) expect(made).not.toHaveProperty(name)
  })

  test('R60: after five wrong codes for one delivery even the right one is refused for 15 minutes', async () => {
    const [ama, yaw] = [await server.sender(), await server.driver()]
    const made = await server.delivery(ama)
    await server.drive(made, yaw, 'Picked Up')
    const about = { token: yaw.token, id: made.ID }
    const wrong = made.deliveryCode === '00000' ? '00001' : '00000'
    const enter = (code: string) =>
      server.raw('POST', `/driver/deliveries/${made.ID}/complete`, { ...about, body: { code } })
    const empty = await enter(' ')
    expect(empty.status).toBe(400)
    expect((await empty.json()).error).toBe('Please enter the delivery code')
    for (let tries = 0; tries < 5; tries++) {
      const answer = await enter(wrong)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ reason: 'wrong-code' })
    }
    const right = present(made.deliveryCode)
    const late = await enter(right)
    expect(late.status).toBe(429)
    const wait = Number(late.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(800)
    expect(wait).toBeLessThanOrEqual(900)
    server.clock.advance(wait * 1000)
    expect((await enter(right)).status).toBe(200)
  })

  test('R32: both parties may report an issue, and nobody else', async () => {
    const [ama, yaw, other] = [await server.sender(), await server.driver(), await server.driver()]
    const made = await server.delivery(ama)
    const body = {
      deliveryId: made.ID,
      issue: 'It is late',
      type: 'sender_issue' as const,
      priority: 'medium' as const,
    }
    const report = (by: Person, type: DisputeType = 'sender_issue') =>
      server.report(by, made.ID, 'It is late', type)
    expect(await report(ama)).toMatchObject({
      DeliveryID: made.ID,
      issue: 'It is late',
    })
    await expect(report(other)).rejects.toEqual(refused('not-found'))
    await server.drive(made, yaw, 'Accepted')
    await report(yaw, 'driver_issue')

    const guest = await server.guestDelivery()
    const say = ({ token, phone }: Guest, deliveryId: string) =>
      server.ask('createGuestDispute', { token, body: { ...body, deliveryId, guestPhone: phone } })
    await say(guest, guest.delivery.ID)
    await expect(say(guest, made.ID)).rejects.toEqual(refused('not-found'))
    await expect(say({ ...guest, phone: '0240000000' }, guest.delivery.ID)).rejects.toEqual(
      refused('wrong-phone'),
    )
  })

  test('sender’s and driver’s lists contain their own deliveries only', async () => {
    const [ama, yaw] = [await server.sender(), await server.driver()]
    const made = await server.delivery(ama)
    const ids = async (
      op: 'senderDeliveries' | 'senderActiveDeliveries' | 'driverDeliveries',
      by: Person,
      query = {},
    ) => (await server.ask(op, { token: by.token, query })).value?.deliveries.map(({ ID }) => ID)
    expect(await ids('senderActiveDeliveries', ama)).toEqual([made.ID])
    expect(await ids('driverDeliveries', yaw)).toEqual([])
    await server.drive(made, yaw, 'Delivered')
    expect(await ids('senderActiveDeliveries', ama)).toEqual([made.ID])
    expect(await ids('driverDeliveries', yaw)).toEqual([])
    expect(await ids('driverDeliveries', yaw, { include_completed: 'true' })).toEqual([made.ID])
    const body = { status: 'Approved' as const }
    await server.ask('changeStatus', { token: ama.token, id: made.ID, body })
    expect(await ids('senderActiveDeliveries', ama)).toEqual([])
    expect(await ids('senderDeliveries', ama)).toEqual([made.ID])
    expect(await ids('senderDeliveries', ama, { status: 'Pending' })).toEqual([])
  })
}
