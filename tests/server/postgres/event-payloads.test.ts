import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ChangeEvent } from '#server/ports/change-events.ts'
import { payloadReader, payloadsOf } from '#server/postgres/connection/event-payloads.ts'
import { anyCharacter } from '../../helpers/any-character.ts'

test('R75: an event of any size passes through payloads that PostgreSQL takes', () => {
  const read = payloadReader()
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.nat(2_000),
      fc.array(fc.uuid(), { maxLength: 3 }),
      (text, times, to) => {
        const event: ChangeEvent = { about: 'delivery', id: text.repeat(times), to, admins: true }
        const payloads = payloadsOf(event)
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000)
        const found = payloads.map(read)
        expect(found.at(-1)?.event).toEqual(event)
        expect(found.slice(0, -1).every((each) => each === undefined)).toBe(true)
      },
    ),
    { numRuns: 20, seed: 8 },
  )
})

test('R94: an event of a server of the version before has an ID of this process alone', () => {
  const event: ChangeEvent = { about: 'zones', to: [], everyone: true }
  const [one, two] = [1, 2].map(() => payloadReader()(JSON.stringify(event)))
  expect([one?.event, two?.event]).toEqual([event, event])
  expect(one?.eventId).not.toBe(two?.eventId)
})
