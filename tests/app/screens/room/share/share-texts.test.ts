import { expect, test } from 'vitest'
import { linkOf, messageLinks, messageTo } from '#app/screens/room/share/share-texts.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { readHandoverLink } from '#domain/deliveries/handover/handover-link.ts'

const delivery = {
  ID: '019cb391-c200-7375-b911-5189b9f72e4d',
  deliveryCode: '04821',
  itemDescription: 'Kente & "beads" #2',
  recipientName: 'Esi',
} as Delivery
const secret = Buffer.alloc(16, 7).toString('base64url')

test('R110: the shared link carries delivery, secret and code, all in the fragment but the ID', () => {
  const link = linkOf(delivery, secret, 'https://soma.test') ?? ''
  expect(readHandoverLink(link)).toEqual({ id: delivery.ID, secret, code: '04821' })
  const { pathname, search } = new URL(link)
  expect(pathname + search).toBe(`/h/${delivery.ID}`)
})

test('R110: there is no link without a secret, nor in the demo', () => {
  expect(linkOf(delivery, undefined, 'https://soma.test')).toBeUndefined()
  expect(linkOf(delivery, secret, undefined)).toBeUndefined()
  expect(messageTo(delivery, undefined)).not.toMatch(/undefined|page/)
})

test('R110: WhatsApp and SMS get the whole message', () => {
  const message = messageTo(delivery, linkOf(delivery, secret, 'https://soma.test'))
  expect(message).toContain('04821')
  const { whatsapp, sms } = messageLinks('0550000001', message)
  expect(new URL(whatsapp).pathname).toBe('/233550000001')
  expect(new URL(whatsapp).searchParams.get('text')).toBe(message)
  expect(sms.startsWith('sms:0550000001?body=')).toBe(true)
  expect(decodeURIComponent(sms.split('body=')[1] ?? '')).toBe(message)
})
