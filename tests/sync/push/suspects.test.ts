import { describe, expect, test } from 'vitest'
import { batchPhone, fine, issues, stream, textOf } from '../../helpers/device/batch-phone.ts'

/** Ways in which a whole batch is lost because of one text in it. */
const losses = {
  'cut off': () => Promise.reject(new TypeError('Failed to fetch')),
  'answered by a gateway': () => new Response('<html>Blocked</html>', { status: 502 }),
  'failed as a whole': () =>
    Response.json({ error: 'Broken', reason: 'unavailable' }, { status: 500 }),
}

describe('S41: an entry that breaks every request it is part of', () => {
  test.each(
    Object.keys(losses).flatMap((how) =>
      [2, 40].map((count) => [how, count] as [keyof typeof losses, number]),
    ),
  )('%s, is sent alone after two batches, and does not hold up %i others', async (how, count) => {
    const phone = await batchPhone(issues(count + 1))
    const poison = phone.ids[Math.floor(count / 2)]
    phone.answerReads()
    phone.answerWith((operations) =>
      operations.some(({ key }) => key === poison)
        ? losses[how]()
        : stream(textOf(operations.map(fine))),
    )
    phone.answerSinglesWith((key) =>
      key === poison
        ? losses[how]()
        : Response.json(fine({ key, method: '', path: '' }).body, { status: 201 }),
    )
    for (let round = 0; round < 4; round++) {
      await phone.drain()
      phone.clock.pass(10 * 60_000)
    }
    expect(phone.batches).toHaveLength(2)
    const unsent = (await phone.db.outbox.toArray()).filter(({ state }) => state !== 'done')
    expect(unsent.map(({ id }) => id)).toEqual([poison])
  })
})

describe('S41: batches go on', () => {
  test('where reads are not answered either: there is no network', async () => {
    const phone = await batchPhone(issues(3))
    phone.answerWith(losses['cut off'])
    for (let round = 0; round < 4; round++) {
      await phone.drain()
      phone.clock.pass(10 * 60_000)
    }
    expect(phone.batches).toHaveLength(4)
    expect(phone.singles).toEqual([])
  })

  test('in a page that is opened later, but not in the worker', async () => {
    const phone = await batchPhone(issues(3))
    phone.answerReads()
    phone.answerWith(losses['cut off'])
    phone.answerSinglesWith(losses['cut off'])
    for (let round = 0; round < 2; round++) {
      await phone.drain()
      phone.clock.pass(10 * 60_000)
    }
    expect(phone.batches).toHaveLength(2)
    await phone.drain({ isWorker: true })
    phone.clock.pass(10 * 60_000)
    expect(phone.batches).toHaveLength(2)
    await phone.drain({})
    expect(phone.batches).toHaveLength(3)
  })
})
