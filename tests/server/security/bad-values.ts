import fc from 'fast-check'
import { anyCharacter } from '../../helpers/any-character.ts'

/* Invalid values, some of them nearly valid. */

export const tricky = fc.constantFrom(
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '%',
  '%00',
  '\\',
  "'",
  '";--',
  '9999-99-99 99:99:99+99',
  '2026-02-30 00:00:00+00',
  '0000-00-00',
  'infinity',
  '-infinity',
  '2147483648',
  '-2147483649',
  '9223372036854775808',
  '1e400',
  'NaN',
  '0x10',
  '1_000',
  '٣',
  'null',
  'undefined',
  '[]',
  '{}',
  '[object Object]',
  '__proto__',
  'constructor',
  'true',
  '00000000-0000-0000-0000-000000000000',
  'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
  '{0}',
  'x'.repeat(1_001),
  '9'.repeat(400),
  '😀'.repeat(600),
  '../../etc/passwd',
  '<b>',
)
export const text = fc.oneof(
  tricky,
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.integer().map(String),
  fc.double().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.uuid(),
)
export const anyValue = fc.oneof(
  text,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(null, true, false, [], {}, 1e308, -0, 2 ** 53),
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Two digits for each part: the form of a time, seldom a valid one. */
const timeLike = fc
  .tuple(fc.nat(9999), ...[1, 2, 3, 4, 5, 6].map(() => fc.nat(99)))
  .map((parts) => parts.map((part, at) => `${part}`.padStart(at === 0 ? 4 : 2, '0')))
  .chain(([year, month, day, hour, minute, second, offset]) => {
    const [date, time] = [`${year}-${month}-${day}`, `${hour}:${minute}:${second}`]
    return fc.constantFrom(`${date} ${time}+${offset}`, `${date} 10:00:00+00`, `${date}T${time}Z`)
  })
/** Numbers around and beyond PostgreSQL's integer range. */
const numberLike = fc
  .oneof(fc.bigInt({ min: -(10n ** 10n), max: 10n ** 10n }), fc.bigInt())
  .map(String)

/** List cursors (`after`) in the form of either database: valid but for one part, or with odd parts. */
export const place = fc
  .tuple(
    fc.oneof(timeLike, numberLike, text, anyValue),
    fc.oneof({ weight: 3, arbitrary: fc.uuid() }, text, anyValue),
  )
  .chain((parts) => {
    const json = JSON.stringify(parts)
    return fc.constantFrom(json, Buffer.from(json).toString('base64url'))
  })

/** The sorts; a cursor's value is a time, a number or a text. */
export const orders = [
  'createdAt',
  '-createdAt',
  'offer',
  '-offer',
  'detour',
  'name',
  'email',
  'At',
  '-Actor',
]

/** `since` cursors of the database with this `epoch`, and of none. */
const cursor = (epoch: () => string) =>
  fc
    .tuple(fc.boolean(), fc.oneof(text, fc.bigInt().map(String)))
    .map(([ofOurs, rest]) => (ofOurs ? `${epoch()}-${rest}` : rest))

/** Values of one query field. Nearly valid ones pass more of the parsing. */
export const valuesOf = (field: string, epoch: () => string) =>
  field === 'after'
    ? fc.oneof({ weight: 4, arbitrary: place }, text)
    : field === 'since'
      ? fc.oneof(cursor(epoch), text)
      : text
