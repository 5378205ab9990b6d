import { expect, test } from 'vitest'
import { batchPhone, fine, issues } from '../../helpers/device/batch-phone.ts'

const count = 60

test.each([0, 1, 6, 7, 12, 20, 40])(
  'S14: when the token dies after %i single calls, what was leased and has not left waits as before',
  async (answered) => {
    const phone = await batchPhone(issues(count))
    phone.answerWith(() => new Response('Not Found', { status: 404 }))
    phone.answerSinglesWith((key) =>
      phone.singles.length <= answered
        ? Response.json(fine({ key, method: '', path: '' }).body, { status: 201 })
        : Response.json({ error: 'Session Expired', reason: 'no-session' }, { status: 401 }),
    )
    await phone.drain()
    const states = await phone.states()
    expect(states.filter((state) => state === 'done')).toHaveLength(answered)
    expect(states.filter((state) => state === 'waiting')).toHaveLength(count - answered)
    const left = (await phone.db.outbox.toArray()).filter((entry) => entry.left)
    expect(left.map(({ id }) => id).sort()).toEqual([...new Set(phone.singles)].sort())
  },
)
