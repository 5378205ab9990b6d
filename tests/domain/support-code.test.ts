import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSupportCode, shownSupportCode } from '#domain/support-code.ts'
import { supportCodeFrom } from '#sync/database/device/support-code.ts'

test('R92: any new code is read back as people write it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 8, maxLength: 8 }), (random) => {
      const code = supportCodeFrom(random)
      expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{8}$/)
      const shown = shownSupportCode(code)
      expect(shown).toMatch(/^\w{4}-\w{4}$/)
      for (const text of [code, shown, shown.toLowerCase()])
        expect(readSupportCode(text)).toBe(code)
    }),
  )
})

test.each([
  '',
  'K7QX',
  'K7QX-2MPDX',
  'K7QX2MPI',
  'K7QX2MPU',
  'K-7-QX2MPD',
  'K7QX 2MPD',
  'ÄÄÄÄÄÄÄÄ',
])('R92: "%s" is no support code', (text) => {
  expect(readSupportCode(text)).toBeUndefined()
})
