import { describe, expect, test } from 'vitest'
import { batchPhone, fine, issues, stream, textOf } from '../../helpers/device/batch-phone.ts'

type Phone = Awaited<ReturnType<typeof batchPhone>>

const second = 1_000

/** Drains and waits a second, until everything is done or so many seconds have passed. */
async function secondsUntilDone(phone: Phone, most: number): Promise<number> {
  for (let seconds = 0; seconds < most; seconds++) {
    await phone.drain()
    if ((await phone.states()).every((state) => state === 'done')) return seconds
    phone.clock.pass(second)
  }
  return most
}

describe('S41: where every answer breaks off', () => {
  test.each([1, 7, 30])(
    'after %i lines, what is left is tried again within a second each time',
    async (lines) => {
      const count = 40
      const phone = await batchPhone(issues(count))
      phone.answerWith((operations) =>
        operations.length <= lines
          ? stream(textOf(operations.map(fine)))
          : stream(`${textOf(operations.slice(0, lines).map(fine))}{"key":`),
      )
      const rounds = Math.ceil(count / lines)
      expect(await secondsUntilDone(phone, 10 * rounds)).toBeLessThanOrEqual(rounds)
    },
  )

  test('before anything was said, the wait grows as ever', async () => {
    const phone = await batchPhone(issues(20))
    phone.answerWith(() => stream('{"key":'))
    for (let round = 0; round < 5; round++) {
      await phone.drain()
      phone.clock.pass(60 * second)
    }
    const attempts = (await phone.db.outbox.toArray()).map((entry) => entry.attempts)
    expect(Math.min(...attempts)).toBe(5)
  })
})
