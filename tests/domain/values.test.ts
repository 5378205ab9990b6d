import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canAdd } from '#domain/choices.ts'
import { emptyDraft, validateDraft } from '#domain/deliveries/draft.ts'
import { decidedShare } from '#domain/deliveries/endings/incidents.ts'
import { isGuestRecordValid } from '#domain/deliveries/guest.ts'
import {
  fullPrice,
  isAmount,
  isValidOffer,
  parseAmount,
  shortPrice,
  toCedis,
  toPesewas,
} from '#domain/money.ts'
import { allowedDecisions } from '#domain/users/driver.ts'
import { formatGhanaCard, formatPassport, idNumberProblem } from '#domain/users/id-numbers.ts'
import { isGhanaPhone, isPhone, normalizePhone, phoneProblem } from '#domain/users/phone.ts'

describe('money', () => {
  test('R40: cedis become whole pesewas and back without loss', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (pesewas) => {
        expect(toPesewas(toCedis(pesewas))).toBe(pesewas)
        expect(isValidOffer(toCedis(pesewas))).toBe(true)
      }),
    )
  })
  test.each([0, -1, 100_000.01, 0.001, 1e-9, 59.999, Number.NaN, Number.POSITIVE_INFINITY])(
    'R21: refuses an offer of %s',
    (offer) => {
      expect(isValidOffer(offer)).toBe(false)
    },
  )
  test('R21: no amount between 0 and a pesewa is one, neither as an offer nor as a share', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.0099, minExcluded: true, noNaN: true }), (cedis) => {
        expect(isAmount(cedis)).toBe(false)
        expect(() => decidedShare(60, 'split', cedis)).toThrow('share')
      }),
    )
  })
  test.each<[string, number | undefined]>([
    ['1,000', 1000],
    ['2,500', 2500],
    ['12 500', 12_500],
    ['100\u00a0000', 100_000],
    ['1,000.50', 1000.5],
    ['1 000,5', 1000.5],
    ['60,50', 60.5],
    [' 60.5 ', 60.5],
    ['060', 60],
    ['٦٠', 60],
    ['١٬٠٠٠٫٥', 1000.5],
    ['６０．５０', 60.5],
    ['₵60', 60],
    ['GHS 60', 60],
    ...['', '1e3', '-50', '60.', '.5', '1.000', '1.0.0', '60.505', '1,00,000', '1000,000'].map(
      (text): [string, undefined] => [text, undefined],
    ),
    ...['0,500', '1,000,50', '1,000 000', '60 cedis', '0x10', '6 0', '60-70', 'Infinity'].map(
      (text): [string, undefined] => [text, undefined],
    ),
  ])('R21: typed as %j it is %s', (typed, cedis) => {
    expect(parseAmount(typed)).toBe(cedis)
  })
  test('R21: an amount is read the same however it is grouped, from our prices too', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom(['', '.'], ['', ','], [',', '.'], [' ', '.'], [' ', ','], ['\u202f', ',']),
        (pesewas, [group = '', sign = '']) => {
          const [whole = '', decimals] = toCedis(pesewas).toFixed(2).split('.')
          const text = `${whole.replace(/\B(?=(\d{3})+$)/g, group)}${sign}${decimals}`
          const cedis = toCedis(pesewas)
          const texts = [text, String(cedis), shortPrice(cedis), fullPrice(cedis)]
          expect(texts.map(parseAmount)).toEqual(texts.map(() => cedis))
        },
      ),
      { seed: 21 },
    )
  })
  test('R21: whatever is typed, it is refused or every digit of it counts', () => {
    const keys = fc.constantFrom(...'0123456789.,- e₵'.split(''))
    fc.assert(
      fc.property(fc.string({ unit: keys, maxLength: 9 }), (typed) => {
        const read = parseAmount(typed)
        if (read === undefined) return
        const decimals = /[.,](\d{1,2})\s*$/.exec(typed)?.[1]?.length ?? 0
        expect(Math.round(read * 10 ** decimals)).toBe(Number(typed.replace(/\D/g, '')))
        expect(typed).not.toMatch(/[-e]/)
      }),
      { seed: 21, numRuns: 2_000 },
    )
  })
  test('R43: prices are written with the cedi sign', () => {
    expect([shortPrice(60), shortPrice(60.5), fullPrice(60), fullPrice(1234.5)]).toEqual([
      '₵60',
      '₵60.50',
      'GH₵ 60.00',
      'GH₵ 1,234.50',
    ])
  })
})

describe('a phone number', () => {
  test.each([
    ['0244123456', '0244123456'],
    ['024 412 3456', '0244123456'],
    ['233244123456', '0244123456'],
    ['+233 24 412 3456', '0244123456'],
    ['00233244123456', '0244123456'],
    ['(024) 412-3456', '0244123456'],
    ['+233 (0) 24-412-3456', '0244123456'],
    ['0023302 441.23456', '0244123456'],
    ['Ama: ٠٢٤ ٤١٢ ٣٤٥٦', '0244123456'],
    ['＋２３３（０）２４４１２３４５６', '0244123456'],
  ])('R8: pasted as %s becomes %s', (pasted, digits) => {
    expect(normalizePhone(pasted)).toBe(digits)
  })
  test.each(['', '024412345', '02441234567', '024412345a'])('R8: %j is not one', (text) => {
    expect(isPhone(text)).toBe(false)
  })
  test('R146: becomes ten digits while +233… is typed, sign by sign', () => {
    for (const typed of ['+233 24 412 3456', '00233244123456', '+2330244123456', '024-412-3456']) {
      let field = ''
      for (const sign of typed) field = normalizePhone(field + sign)
      expect(field).toBe('0244123456')
    }
  })
  test('R146: of Ghana begins with 02 to 05; every other is refused with a sentence', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), (phone) => {
        const isGhanas = phone[0] === '0' && '2345'.includes(phone[1] ?? '')
        expect(isGhanaPhone(phone)).toBe(isGhanas)
        expect(phoneProblem(phone)).toBe(
          isGhanas ? undefined : 'Enter a Ghana phone number. It starts with 02, 03, 04 or 05.',
        )
      }),
      { seed: 146 },
    )
    expect(phoneProblem('024412345')).toBe('Phone number must be exactly 10 digits.')
  })
})

describe('an ID number', () => {
  test('R6: of a Ghana Card is hyphenated while its digits are typed, after GHA-', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{10}$/), (digits) => {
        const card = `GHA-${digits.slice(0, 9)}-${digits[9]}`
        let field = ''
        for (const digit of digits) field = formatGhanaCard(field + digit)
        expect(field).toBe(card)
        expect(formatGhanaCard(`${card}7`)).toBe(card)
        for (const left of ['', 'GHA', 'gha- ']) expect(formatGhanaCard(left)).toBe('GHA-')
        expect(idNumberProblem('ghana_card', card)).toBeUndefined()
      }),
      { seed: 6 },
    )
  })
  test.each([
    'GHA-123456789-0',
    'gha1234567890',
    ' GHA 123 456 789 0 ',
    'My card: GHA-123456789-0',
    'GHA-١٢٣٤٥٦٧٨٩-٠',
  ])('R6: a Ghana Card pasted as %j is GHA-123456789-0', (pasted) => {
    expect(formatGhanaCard(pasted)).toBe('GHA-123456789-0')
  })
  test('R6: a passport is pasted with spaces and small letters', () => {
    expect(formatPassport(' ab 123 4567 ')).toBe('AB1234567')
  })
  test.each([
    ['ghana_card', 'GHA-12345678-0', 'Format must be GHA-123456789-0.'],
    ['passport', 'ABC123456', 'Format must be A1234567 or AB123456.'],
    ['passport', 'a1234567', 'Format must be A1234567 or AB123456.'],
  ] as const)('R6: of a %s refuses %s', (type, number, text) => {
    expect(idNumberProblem(type, number)).toBe(text)
  })
  test.each(['A1234567', 'AB123456', 'AB1234567'])('R6: of a passport accepts %s', (number) => {
    expect(idNumberProblem('passport', number)).toBeUndefined()
  })
})

describe('a send form', () => {
  const full = {
    ...emptyDraft,
    itemDescription: 'Laptop',
    pickupZone: 'Osu',
    dropoffZone: 'Tema',
    recipientName: 'Abena',
    recipientPhone: '0244123456',
    offer: '60',
    photo: 'p1',
    senderName: 'Ama',
    senderPhone: '0244999999',
  }
  test('R20: a complete one has no problems', () => {
    expect(validateDraft(full, 'guest')).toEqual([])
    expect(validateDraft({ ...full, senderName: '', senderPhone: '' }, 'account')).toEqual([])
  })
  test.each([
    [{ dropoffZone: 'Osu' }, 'Invalid Zones', 'Pickup and drop-off zones cannot be the same.'],
    [{ photo: undefined }, 'Photo Required', 'Please upload a photo of your item.'],
    [{ recipientPhone: '12' }, undefined, 'Phone number must be exactly 10 digits.'],
    [{ note: 'x'.repeat(201) }, undefined, 'A note has at most 200 characters.'],
  ])('R20: with %j it says %s', (change, title, text) => {
    expect(validateDraft({ ...full, ...change }, 'guest')).toContainEqual(
      expect.objectContaining({ title, text }),
    )
  })
  test('R21: an offer below the least one says so', () => {
    const offers = (offer: string) =>
      validateDraft({ ...full, offer }, 'guest', 2.5).map(({ text }) => text)
    expect(offers('2.49')).toEqual(['Enter an offer of at least ₵2.50'])
    expect(offers('2.5')).toEqual([])
    expect(offers('2,500')).toEqual([])
    for (const none of ['', '0', '100,001'])
      expect(offers(none)).toEqual(['Enter an offer, up to ₵100,000'])
    for (const odd of ['1e3', '-50', '1.000'])
      expect(offers(odd)).toEqual(['Write the offer like 60.50 or 1,000'])
  })
  test('R20: needs every field', () => {
    for (const field of Object.keys(full) as (keyof typeof full)[])
      expect(
        validateDraft({ ...full, [field]: '' }, 'guest').map((problem) => problem.field),
      ).toContain(field)
  })
})

test('R58: a guest record is valid for 24 hours', () => {
  const record = {
    id: 'd',
    senderName: 'Ama',
    senderPhone: '0244999999',
    createdAt: '2026-11-21T10:00:00.000Z',
  }
  const at = (text: string) => Date.parse(text)
  expect(isGuestRecordValid(record, at('2026-11-22T09:59:59.999Z'))).toBe(true)
  expect(isGuestRecordValid(record, at('2026-11-22T10:00:00.000Z'))).toBe(false)
})

test('R86: a name is added to a list once, whatever its case, marks, Unicode form and keyboard', () => {
  for (const typed of ['okomfo anokye', 'Ɔkɔmfo Anokye', 'O\u0301kɔmfo ANOKYE', 'Ókɔmfo Anokye'])
    expect(canAdd(typed, [{ Name: 'Ɔkɔmfo Anokye' }])).toBe(false)
  expect([
    canAdd('Tema', [{ Name: 'Osu' }]),
    canAdd(' osu ', [{ Name: 'Osu' }]),
    canAdd('  ', []),
  ]).toEqual([true, false, false])
})

test('R4: an admin approves or rejects as far as the status allows', () => {
  expect([
    allowedDecisions('pending'),
    allowedDecisions('rejected'),
    allowedDecisions('approved'),
  ]).toEqual([['approved', 'rejected'], ['approved'], ['rejected']])
})
