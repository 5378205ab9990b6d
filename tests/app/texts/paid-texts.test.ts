import { expect, test } from 'vitest'
import { announcementToasts } from '#app/texts/announcement-texts.ts'
import { driverPaidText, senderPaidText } from '#app/texts/paid-texts.ts'
import { supportTitle } from '#app/texts/return-texts.ts'
import { deliveryOf } from '../../helpers/device/context.ts'

const refunded = (driverShare: number) => {
  const at = '2026-11-21T12:00:00.000Z'
  const step = { at, by: 'office', reason: 'It is damaged', corrected: ['driverShare'] }
  return deliveryOf('d', {
    status: 'Approved',
    offer: 60,
    driverShare,
    payment: { status: 'released' },
    payout: driverShare === 0 ? undefined : { status: 'waiting' },
    history: [{ status: 'Approved', ...step }],
  })
}

test.each([
  [40.5, 'Kofi gets ₵40.50, you get ₵19.50 back', '₵40.50 is on its way to you'],
  [0, 'Kofi gets nothing, you get ₵60 back', 'Support refunded the sender: nothing is paid'],
])('R228: of ₵60 the driver keeps %d: "%s", "%s"', (driverShare, ofSender, ofDriver) => {
  const view = refunded(driverShare)
  expect(senderPaidText(view, 'Kofi')).toBe(ofSender)
  expect(driverPaidText(view, 'Ama')).toBe(ofDriver)
  expect(supportTitle(view, 'sender')).toBe('Support refunded the sender: It is damaged')
  for (const as of ['sender', 'driver'] as const) {
    const [toast] = announcementToasts([
      { delivery: { ...view, driver: { id: 'k', name: 'Kofi' } }, as },
    ])
    expect(toast?.title).toBe('Support refunded the sender: It is damaged')
    expect(toast?.text).toContain(`${as === 'sender' ? ofSender : ofDriver} · `)
  }
})
