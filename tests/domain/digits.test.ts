import fc from 'fast-check'
import { expect, test } from 'vitest'
import { messageTo } from '#app/screens/room/share/share-texts.ts'
import { handoverLink } from '#domain/deliveries/handover/handover-link.ts'
import { asciiDigits, codeIn } from '#domain/digits.ts'
import { deliveryOf } from '../helpers/device/context.ts'

test.each<[typed: string, code: string]>([
  ['48213', '48213'],
  ['48 213', '48213'],
  ['482-13 ', '48213'],
  ['48\u00a0213', '48213'],
  ['The code is 48213', '48213'],
  ['The code is 48 213. Call 0244 12345 6', '48213'],
  ['code:48213, valid for 10 minutes', '48213'],
  ['48The code is 48213.', '48213'],
  ['٤٨٢١٣', '48213'],
  ['４８２１３', '48213'],
  ['', ''],
  ['482', '482'],
  ['48 2', '482'],
  ['482a', '482'],
  ['482139', '48213'],
  ['12345 or 54321', ''],
  ['0244123456', ''],
  ['picked up at 10:30', ''],
])('R25: typed or pasted as %j a delivery code is %j', (typed, code) => {
  expect(codeIn(typed, 5)).toBe(code)
})

test('R62: the code of an SMS is found in all of its text', () => {
  const sms =
    'Soma: your verification code is 123456, for the account ab.... It is valid for 10 minutes.\n@soma.example #123456'
  expect(codeIn(sms, 6)).toBe('123456')
})

test('R25: the code is found in the message that the sender shares, whatever the item is called', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789 -ab'.split('')), maxLength: 12 })
  const secret = fc.stringMatching(/^[A-Za-z0-9_-]{21}[AQgw]$/)
  const code = fc.stringMatching(/^\d{5}$/)
  fc.assert(
    fc.property(text, secret, fc.uuid(), code, (itemDescription, drawn, id, deliveryCode) => {
      const view = deliveryOf(id, { itemDescription, deliveryCode, recipientName: 'Esi' })
      const link = handoverLink('https://soma.example', { id, secret: drawn, code: deliveryCode })
      expect(codeIn(messageTo(view, link), 5)).toBe(deliveryCode)
      expect(codeIn(link, 5)).toBe(deliveryCode)
    }),
    { seed: 25 },
  )
})

test('R62: digit after digit, in any script, a code grows to its length and stays', () => {
  fc.assert(
    fc.property(
      fc.stringMatching(/^\d{6}$/),
      fc.constantFrom(0x30, 0x660, 0x6f0, 0x966, 0xff10),
      (code, zero) => {
        let field = ''
        for (const digit of code) {
          field = codeIn(field + String.fromCodePoint(zero + Number(digit)), 6)
          expect(field).toBe(code.slice(0, field.length))
        }
        expect(codeIn(`${field}7`, 6)).toBe(code)
        expect(asciiDigits(field)).toBe(code)
      },
    ),
    { seed: 62 },
  )
})
