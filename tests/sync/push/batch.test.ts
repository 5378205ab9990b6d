import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { OperationName } from '#operations/index.ts'
import type { OutboxEntry } from '#sync/database/entry.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import {
  batchPhone,
  fine,
  issue,
  issues,
  stream,
  textOf,
} from '../../helpers/device/batch-phone.ts'
import { untilIdle } from '../../helpers/device/until-idle.ts'

const skipped = { status: 424, body: { error: 'Skipped', reason: 'skipped' } }

describe('S41: several entries leave in one request', () => {
  test('one alone goes as a single call', async () => {
    const phone = await batchPhone(issues(1))
    await phone.drain()
    expect(phone.batches).toEqual([])
    expect(phone.singles).toEqual(phone.ids)
  })

  test('the entries of one lane go together, each after the one before it', async () => {
    const lane = { lane: 'd1' }
    const phone = await batchPhone([
      [...issue(1), lane],
      [...issue(2), lane],
      [...issue(3), lane],
      [...issue(4), { after: [0] }],
    ])
    await phone.drain()
    const [a, b, c, d] = phone.ids
    expect(phone.batches).toMatchObject([
      [
        { key: a, after: [] },
        { key: b, after: [a] },
        { key: c, after: [b] },
        { key: d, after: [a] },
      ],
    ])
    expect(await phone.states()).toEqual(['done', 'done', 'done', 'done'])
  })

  test('a stream that breaks off loses only what was not yet said', async () => {
    const phone = await batchPhone(issues(5))
    phone.answerWith((operations) => {
      const text = textOf(operations.map(fine))
      return stream(text.slice(0, Math.floor(text.length * 0.5)))
    })
    await phone.drain()
    expect(await phone.states()).toEqual([
      'done',
      'done',
      'retrying unavailable',
      'retrying unavailable',
      'retrying unavailable',
    ])
    phone.answerWith((operations) => stream(textOf(operations.map(fine))))
    phone.clock.pass(60_000)
    await phone.drain()
    expect(phone.batches[1]?.map(({ key }) => key)).toEqual(phone.ids.slice(2))
    expect(await phone.states()).toEqual(['done', 'done', 'done', 'done', 'done'])
  })

  test('lines in pieces, in any order, with lines of nobody between them, are read', async () => {
    const phone = await batchPhone(issues(3))
    phone.answerWith((operations) => {
      const lines = [...operations.map(fine).reverse(), fine({ key: v7(), method: '', path: '' })]
      const bytes = new TextEncoder().encode(textOf(lines).trimEnd())
      let at = 0
      return stream(
        new ReadableStream({
          pull(controller) {
            if (at >= bytes.length) return controller.close()
            controller.enqueue(bytes.slice(at, at + 7))
            at += 7
          },
        }),
      )
    })
    await phone.drain()
    expect(await phone.states()).toEqual(['done', 'done', 'done'])
  })

  test.each([[null], [{}]])(
    'the answer of a browser without streams (%j) is read',
    async (body) => {
      const phone = await batchPhone(issues(3))
      phone.answerWith((operations) =>
        Object.defineProperty(stream(textOf(operations.map(fine))), 'body', { value: body }),
      )
      await phone.drain()
      expect(await phone.states()).toEqual(['done', 'done', 'done'])
    },
  )

  test('S15: a refused entry takes what depends on it along, and nothing else', async () => {
    const phone = await batchPhone([issue(0), [...issue(1), { after: [0] }], issue(2)])
    phone.answerEachWith((_, at) =>
      [{ status: 404, body: { error: 'No', reason: 'not-found' } }, skipped].at(at),
    )
    await phone.drain()
    expect(await phone.states()).toEqual(['refused not-found', 'refused not-found', 'done'])
  })

  test('S12: what was skipped because of a server failure waits with its parent, and counts no try', async () => {
    const phone = await batchPhone([issue(0), [...issue(1), { after: [0] }]])
    phone.answerEachWith((_, at) =>
      at === 0 ? { status: 500, body: { error: 'Oops', reason: 'internal' } } : skipped,
    )
    const drained = await phone.drain()
    expect(phone.batches).toHaveLength(1)
    expect(await phone.db.outbox.toArray()).toMatchObject([
      { state: 'retrying', attempts: 1 },
      { state: 'waiting', attempts: 0 },
    ])
    expect(drained?.nextAt).toBeGreaterThan(phone.clock.now())
  })

  test('a line that says skipped without a reason does not loop', async () => {
    const phone = await batchPhone(issues(2))
    phone.answerEachWith(() => ({ status: 424, body: { reason: 'skipped' } }))
    await phone.drain()
    expect(phone.batches.length).toBeLessThanOrEqual(2)
    expect(await phone.states()).toEqual(['retrying unavailable', 'retrying unavailable'])
  })

  test('S13: a line’s own Retry-After is obeyed', async () => {
    const phone = await batchPhone(issues(2))
    phone.answerEachWith((_, at) =>
      at === 0 ? { status: 429, body: { reason: 'too-many' }, retryAfter: 90 } : undefined,
    )
    const drained = await phone.drain()
    expect(await phone.states()).toEqual(['retrying too-many', 'done'])
    expect((drained?.nextAt ?? 0) - phone.clock.now()).toBe(90_000)
  })

  test('S14: a dead token pauses the queue', async () => {
    const phone = await batchPhone(issues(2))
    phone.answerEachWith(() => ({ status: 401, body: { error: 'No', reason: 'no-session' } }))
    await phone.drain()
    expect(await phone.states()).toEqual(['waiting', 'waiting'])
    expect(await phone.db.sessions.get('current')).toMatchObject({ expired: true })
  })
})

describe('S41: a backend without a batch gets single calls until the app is opened again', () => {
  test.each([400, 404, 405, 413, 415])('after a %i', async (status) => {
    const phone = await batchPhone(issues(4))
    phone.answerWith(() => Response.json({ message: 'No such call' }, { status }))
    await phone.drain()
    expect(phone.batches).toHaveLength(1)
    expect([...phone.singles].sort()).toEqual([...phone.ids].sort())
    expect(await phone.db.outbox.toArray()).toMatchObject(
      phone.ids.map(() => ({ state: 'done', failures: 0, attempts: 0 })),
    )
  })

  test('S34: six of them at once, however many wait', async () => {
    const phone = await batchPhone(issues(40))
    phone.answerWith(() => new Response('Not here', { status: 404 }))
    let now = 0
    const counts: number[] = []
    phone.answerSinglesWith(async (key) => {
      counts.push(++now)
      await untilIdle()
      now--
      return Response.json(fine({ key, method: '', path: '' }).body, { status: 201 })
    })
    await phone.drain()
    expect(counts).toHaveLength(40)
    expect(Math.max(...counts)).toBe(6)
  })

  test('and is asked for one again by a page that is opened later', async () => {
    const phone = await batchPhone(issues(2))
    phone.answerWith(() => new Response('Not here', { status: 404 }))
    await phone.drain()
    const again = async (more?: object) => {
      const queued = issues(2).map(([op, input], at) =>
        entryOf<OutboxEntry>({
          id: v7(),
          account: 'kofi',
          op,
          lane: `more ${v7()} ${at}`,
          input,
          title: '',
          occurredAt: '',
        }),
      )
      await phone.db.outbox.bulkAdd(queued as never[])
      await phone.drain(more)
      return phone.batches.length
    }
    phone.clock.pass(24 * 60 * 60_000)
    expect(await again()).toBe(1)
    expect(await again({ isWorker: true })).toBe(1)
    expect(await again({})).toBe(2)
  })

  test('a gateway’s page, a server failure and a lost request are no reason', async () => {
    for (const answer of [
      () => new Response('<html>Hotel</html>'),
      () => Response.json({ error: 'x', reason: 'unavailable' }, { status: 503 }),
      () => Promise.reject(new TypeError('Failed to fetch')),
    ]) {
      const phone = await batchPhone(issues(3))
      phone.answerWith(answer)
      await phone.drain()
      expect(phone.singles).toEqual([])
      expect(new Set(await phone.states())).toEqual(new Set(['retrying unavailable']))
    }
  })
})

test('S41: entries of one lost request are tried again together', async () => {
  const phone = await batchPhone(issues(40))
  phone.answerWith(() => Promise.reject(new TypeError('Failed to fetch')))
  await phone.drain()
  const times = new Set((await phone.db.outbox.toArray()).map(({ nextAt }) => nextAt))
  expect(times.size).toBe(1)
})

test('S41: what does not fit in a request goes with the next, and never seems to have left', async () => {
  const long = 'x'.repeat(9_000)
  const phone = await batchPhone(
    Array.from({ length: 90 }, (_, at): [OperationName, object] => [
      'reportIssue',
      { id: `d${at}`, issue: `${at} ${long}`, type: 'driver_issue' },
    ]),
  )
  await phone.drain()
  expect(phone.batches.length).toBeGreaterThan(1)
  expect(new Set(phone.batches.flat().map(({ key }) => key)).size).toBe(90)
  expect(phone.batches.flat()).toHaveLength(90)
  expect(new Set(await phone.states())).toEqual(new Set(['done']))
})

test('an app that is too old for the server keeps its queue as it was', async () => {
  const phone = await batchPhone(issues(3))
  phone.answerWith(() => Response.json({ error: 'Update', reason: 'update' }, { status: 426 }))
  const drained = await phone.drain()
  expect(drained).toMatchObject({ updateRequired: true })
  expect(drained?.nextAt).toBeUndefined()
  expect(await phone.db.outbox.toArray()).toMatchObject(
    phone.ids.map(() => ({ state: 'waiting', attempts: 0 })),
  )
})

test('S34: urgent entries stand first in a batch, and go at once beside batches under way', async () => {
  const phone = await batchPhone([...issues(300), ['acceptDelivery', { id: 'd' }]])
  const waiting: (() => void)[] = []
  phone.answerWith(async (operations) => {
    await new Promise<void>((resolve) => waiting.push(resolve))
    return stream(textOf(operations.map(fine)))
  })
  const done = phone.drain()
  await expect.poll(() => phone.batches.length).toBeGreaterThanOrEqual(1)
  expect(phone.batches[0]?.[0]?.path).toBe('/driver/deliveries/d/accept')
  await untilIdle()
  expect(phone.batches).toHaveLength(2)
  let isDone = false
  void done.then(() => {
    isDone = true
  })
  while (!isDone) {
    for (const go of waiting.splice(0)) go()
    await untilIdle()
  }
})
