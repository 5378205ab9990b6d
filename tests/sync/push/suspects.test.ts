import { describe, expect, test } from 'vitest'
import { batchPhone, fine, issues, stream, textOf } from '../../helpers/device/batch-phone.ts'

describe('S41: an entry that breaks every request it is part of', () => {
  test.each([2, 40])('goes alone, and does not hold up %i others', async (count) => {
    const phone = await batchPhone(issues(count + 1))
    const poison = phone.ids[Math.floor(count / 2)]
    phone.answerWith((operations) =>
      operations.some(({ key }) => key === poison)
        ? Response.json({ error: 'Broken', reason: 'unavailable' }, { status: 500 })
        : stream(textOf(operations.map(fine))),
    )
    for (let round = 0; round < 8; round++) {
      await phone.drain()
      phone.clock.pass(10 * 60_000)
    }
    expect(phone.singles).toContain(poison)
    expect(new Set(await phone.states())).toEqual(new Set(['done']))
  })

  test('while what has not failed still leaves in one request', async () => {
    const phone = await batchPhone(issues(60))
    await phone.drain()
    expect(phone.batches.map((batch) => batch.length)).toEqual([60])
  })
})
