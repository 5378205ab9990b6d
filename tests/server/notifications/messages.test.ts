import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Delivery, Status } from '#domain/deliveries/delivery.ts'
import { NotificationKind } from '#domain/notifications/kinds.ts'
import { maxBytes, messageOf, smsText } from '#server/notifications/messages.ts'
import { payloadOf } from '#server/notifications/payload.ts'
import { termsOf } from '#server/notifications/terms.ts'

/** Words that a person may have typed anywhere, with what must never leave in a message. */
const secrets =
  `0244123456|024 412 3456|+233-24-412-3456|12345|(024)4123456|٠٢٤٤١٢٣٤٥٦|०२४४१२३४५६|８３６４９|8/3/6/4/9|8\u200b3\u200b6\u200b4\u200b9
  |0️⃣2️⃣4️⃣4️⃣1️⃣2️⃣3️⃣4️⃣5️⃣6️⃣|8 and 3 and 6 and 4 and 9|0👍2👍4👍4👍1👍2👍3👍4👍5👍6|\u202e94638\u202c`.split('|')
const words = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.constantFrom('Ama Serwaa Owusu', '🚲'.repeat(200), '"\\'.repeat(100), 'é\n\tè', ''),
  fc
    .tuple(fc.string({ maxLength: 20 }), fc.constantFrom(...secrets), fc.string({ maxLength: 20 }))
    .map((parts) => parts.join(' ')),
)

const laptop: Delivery = {
  ID: '019a0000-0000-7000-8000-000000000000',
  status: 'Picked Up',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  deliveryCode: '83649',
  returnCode: '72951',
  recipientName: 'Esi Mensah',
  recipientPhone: '0559876543',
  senderName: 'Ama Owusu',
  senderPhone: '0208765432',
  driver: { id: 'd', name: 'Yaw Boateng', phone: '0271112223' },
  isGuestDelivery: false,
  dueAt: '2026-11-26T14:05:00.000Z',
  createdAt: '2026-11-24T14:05:00.000Z',
  updatedAt: '2026-11-24T14:05:00.000Z',
}
/** Approved by its sender. */
const paid: Delivery = { ...laptop, status: 'Approved', paidBy: 'cash', payout: { status: 'paid' } }

const delivery = fc
  .record({
    ID: fc.uuid(),
    status: fc.constantFrom(...Status.options),
    itemDescription: words,
    pickupZone: words,
    dropoffZone: words,
    offer: fc.integer({ min: 1, max: 10_000_000 }).map((pesewas) => pesewas / 100),
    recipientName: words,
    isGuestDelivery: fc.boolean(),
    senderName: words,
    tip: fc.integer({ min: 0, max: 10_000_000 }).map((pesewas) => pesewas / 100),
    paidBy: fc.constantFrom('momo', 'cash', undefined),
    disputed: fc.boolean(),
    payout: fc.constantFrom({ status: 'paid' }, { status: 'waiting' }),
    payment: fc.constantFrom(undefined, { status: 'held' }),
    driver: words.map((name) => ({ id: 'd', name, phone: '0271112223' })),
    history: words.map((reason) => [
      {
        status: 'Approved' as const,
        at: refundedAt,
        by: 'office',
        reason,
        corrected: ['driverShare'],
      },
    ]),
  })
  .map((typed): Delivery => ({ ...laptop, ...typed }))

const refundedAt = '2026-11-27T10:00:00.000Z'
const about = fc.record({
  kind: fc.constantFrom(...NotificationKind.options),
  to: fc.constantFrom('sender' as const, 'driver' as const, 'office' as const),
  delivery: fc.option(delivery, { nil: undefined }),
  isApprovedDriver: fc.boolean(),
  at: fc.constantFrom(undefined, refundedAt),
})
const origin = fc.integer({ min: 8, max: 40 }).map((length) => `https://${'a'.repeat(length)}.com`)

test('R116: a push has at most 400 bytes, and holds no code and no phone number, whatever was typed', () => {
  fc.assert(
    fc.property(about, origin, (about, origin) => {
      const message = messageOf(about)
      const how = { origin, topic: 'f'.repeat(32), receipt: '019a0000-0000-7000-8000-000000000000' }
      const json = payloadOf(message, how)
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(maxBytes)
      const { notification } = JSON.parse(json)
      expect(notification.navigate).toBe(`${origin}/${message.path}`)
      for (const text of [notification.title, notification.body]) {
        // Money and a time of day are the only numbers.
        const numbers = text.replace(/(₵|GHS )[\d.]+/g, '').replace(/26 Nov,? \d\d:\d\d/g, '')
        expect(numbers).not.toMatch(/\d(?:[\s().+-]*\d){4,}/)
        expect(text).not.toMatch(/(?!\d)\p{Nd}|[\u200b\u202a-\u202e]/u)
        for (const secret of ['83649', '72951', '0559876543', '0208765432', '0271112223'])
          expect(numbers.replace(/\D/g, '')).not.toContain(secret)
      }
    }),
    { seed: 16, numRuns: 200 },
  )
})

const titleOf = (kind: NotificationKind, to: 'sender' | 'driver' | 'office', over: object = {}) =>
  messageOf({ kind, to, delivery: { ...(kind === 'approved' ? paid : laptop), ...over } }).title

/** By the kind, what its sender, its driver and an admin read; none where they are not told (R115, R224). */
const titles: Record<NotificationKind, [sender?: string, driver?: string, office?: string]> = {
  accepted: ['Yaw accepted your request'],
  released: ['Your request is on offer again'],
  'picked-up': ['Yaw picked up Laptop'],
  delivered: ['Laptop was delivered'],
  'approval-due': ['Approve Laptop'],
  approved: ['Laptop was approved automatically', 'Ama says you were paid ₵60 in cash'],
  cancelled: ['Laptop was cancelled', 'Laptop was cancelled'],
  attempt: ["Yaw couldn't hand over Laptop"],
  'wrong-code': ['5 wrong codes for Laptop'],
  returning: ['Yaw is bringing Laptop back', 'Return confirmed'],
  dispute: ['Support has decided', 'Support has decided'],
  application: [],
  'new-job': [undefined, '₵60 · Osu to Tema'],
  'office-dispute': [undefined, undefined, 'New dispute about Laptop'],
  'office-application': [undefined, undefined, 'A driver has applied'],
  'office-money': [undefined, undefined, 'Money for Laptop failed'],
  'office-server': [],
}

test.each(Object.entries(titles) as [NotificationKind, string[]][])(
  'R116: of “%s” each side reads its title, and nobody is named by more than a first name',
  (kind, [sender, driver, office]) => {
    if (sender) expect(titleOf(kind, 'sender')).toBe(sender)
    if (driver) expect(titleOf(kind, 'driver')).toBe(driver)
    if (office) expect(titleOf(kind, 'office')).toBe(office)
    for (const to of ['sender', 'driver', 'office'] as const) {
      const { title, body } = messageOf({ kind, to, delivery: laptop })
      expect(`${title} ${body}`).not.toMatch(/Mensah|Owusu|Boateng/)
      expect(Math.min(title.length, body.length)).toBeGreaterThan(3)
    }
  },
)

test('R115: a return that has ended, and a decided application, have titles of their own', () => {
  expect(titleOf('returning', 'sender', { status: 'Cancelled' })).toBe('Laptop is back with you')
  const application = (isApprovedDriver: boolean) =>
    messageOf({ kind: 'application', to: 'driver', isApprovedDriver }).title
  expect(application(true)).toBe('You are approved to drive')
  expect(application(false)).toBe('Your application was rejected')
})

test('R116: what is typed is shown without what could be a number, and people by a first name', () => {
  const items = [
    ['Laptop 15 inch', 'Laptop 15 inch'],
    ['iPhone 13, 2 cases', 'iPhone 13, 2 cases'],
    ['Kɛntɛ ₵300', 'Kɛntɛ ₵300'],
    ['Bag, call 0244123456', 'Bag, call …'],
    ['Bag ٠٢٤٤١٢٣٤٥٦', 'Bag …'],
    ['The code: 8 then 3 then 6 then 4 then 9', 'The code: … then … then … then … then …'],
    ['02 🚲🚲🚲 44 🚲🚲🚲 12 🚲🚲🚲 34 5', '… 🚲🚲🚲 … 🚲🚲🚲 … 🚲🚲🚲 … …'],
    ['Bag\u202e gab', 'Bag gab'],
  ]
  for (const [itemDescription, shown] of items)
    expect(titleOf('delivered', 'sender', { itemDescription })).toBe(`${shown} was delivered`)
  const named = {
    Yaw: ['Yaw Boateng', 'Yaw', 'Dr. Yaw Boateng', 'Rev. Dr Yaw Boateng', 'Boateng, Yaw'],
    'The driver': ['yaw.boateng@example.com', 'Mr.', '   '],
    '…': ['0244123456'],
  }
  for (const [shown, names] of Object.entries(named))
    for (const name of names)
      expect(titleOf('accepted', 'sender', { driver: { id: 'd', name } })).toBe(
        `${shown} accepted your request`,
      )
})

test('R119, R149: an SMS says the same whatever was typed, is one message, and links to this service alone', () => {
  fc.assert(
    fc.property(about, origin, (about, origin) => {
      const sms = smsText(about, origin)
      expect(sms !== undefined).toBe(
        about.delivery !== undefined && termsOf[about.kind].sms === true,
      )
      const { ID = '' } = about.delivery ?? {}
      const { payment } = about.delivery ?? {}
      const same = about.delivery && { ...laptop, ID, payment }
      expect(sms).toBe(smsText({ ...about, delivery: same }, origin))
      // The basic GSM alphabet, in which 160 characters are one message.
      expect(sms ?? '').toMatch(/^[\x20-\x5a_a-z]*$/)
      expect((sms ?? '').length).toBeLessThanOrEqual(160)
      expect(sms?.match(/\w+:\/\/\S+/g) ?? []).toEqual(sms ? [`${origin}/delivery/${ID}`] : [])
    }),
    { seed: 119, numRuns: 100 },
  )
})

test('R171: who pays whom is said as it is', () => {
  const said = (kind: NotificationKind, to: 'sender' | 'driver', over: Partial<Delivery> = {}) => {
    const { title, body } = messageOf({ kind, to, delivery: { ...paid, ...over } })
    return `${title}. ${body}`
  }
  const automatic = { history: [{ status: 'Approved' as const, at: '', automatic: true as const }] }
  expect(said('approved', 'driver')).toBe(
    'Ama says you were paid ₵60 in cash. Laptop was approved. Not received? Say so within 24 hours.',
  )
  expect(said('approved', 'driver', automatic)).toBe(
    'Laptop was approved. Ama has not said how they paid. Ask for ₵60.',
  )
  expect(said('approved', 'sender', automatic)).toContain("Pay Yaw ₵60 if you haven't yet.")
  expect(said('approved', 'driver', { payment: { status: 'released' } })).toBe(
    'You are paid ₵60. Laptop was approved.',
  )
  const unpaid = { disputed: true, payout: { status: 'waiting' } }
  expect(said('dispute', 'sender', unpaid)).toBe(
    'Yaw did not receive ₵60. Support looks into the payment for Laptop.',
  )
})

test('R228: a refund says what was given back and what is left, and an answer of support only itself', () => {
  const [at, reason] = [refundedAt, 'It arrived broken']
  const step = { status: 'Approved' as const, at, by: 'office', reason, corrected: ['driverShare'] }
  const said = (to: 'sender' | 'driver', driverShare: number, when = at) => {
    const delivery = { ...paid, payment: { status: 'held' }, driverShare, history: [step] }
    const { title, body } = messageOf({ kind: 'dispute', to, delivery, at: when })
    return [title, body]
  }
  const why = 'Support: It arrived broken · Laptop'
  expect(said('sender', 39.5)).toEqual(['You get ₵20.50 back', why])
  expect(said('driver', 39.5)).toEqual([
    'Ama gets ₵20.50 back',
    `₵39.50 of the price is yours. ${why}`,
  ])
  expect(said('driver', 0)).toEqual(['Ama gets ₵60 back', `Nothing of the price is yours. ${why}`])
  expect(said('sender', 39.5, '2026-11-27T11:00:00.000Z')[0]).toBe('Support has decided')
})
