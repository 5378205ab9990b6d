import { expect, test } from 'vitest'
import { serverVersionHeader } from '#contract/version.ts'
import { ours } from '../../helpers/device/answers.ts'
import { batchPhone, fine, issues } from '../../helpers/device/batch-phone.ts'

/** A phone whose backend takes no batch. */
async function phoneOfSingles(count: number) {
  const phone = await batchPhone(issues(count))
  phone.answerWith(() => new Response('Not here', { status: 404 }))
  return phone
}
const ok = (key: string) => Response.json(fine({ key, method: '', path: '' }).body, { status: 201 })

test('S40: cut off, as the device says, nothing leaves and the queue is looked at again in ten seconds', async () => {
  const phone = await batchPhone(issues(3))
  const offline = {
    isOffline: () => true,
    transport: () => Promise.reject(new TypeError('Failed to fetch')),
  }
  const drained = await phone.drain(offline)
  expect(drained).toMatchObject({ reached: false })
  expect(drained?.nextAt).toBe(phone.clock.monotonic() + 10_000)
  expect(await phone.states()).toEqual(['waiting', 'waiting', 'waiting'])
  expect([...phone.batches, ...phone.singles]).toEqual([])
})

test('S12: after three requests that nobody answered no other leaves', async () => {
  const phone = await phoneOfSingles(60)
  phone.answerSinglesWith(() => {
    throw new TypeError('Failed to fetch')
  })
  const drained = await phone.drain()
  expect(drained).toMatchObject({ reached: false, bytes: 0 })
  // Six were under way at once when the third had no answer.
  expect(phone.singles.length).toBeLessThanOrEqual(3 + 6)
  const states = await phone.states()
  expect(states.filter((state) => state === 'waiting').length).toBeGreaterThanOrEqual(51)
  expect(drained?.nextAt).toBeDefined()
})

test('S12: an answer between two losses begins the count anew', async () => {
  const phone = await phoneOfSingles(40)
  let at = 0
  phone.answerSinglesWith((key) => {
    if (at++ % 2 === 0) throw new TypeError('Failed to fetch')
    return ok(key)
  })
  await phone.drain()
  expect(phone.singles).toHaveLength(40)
})

test('S12: a server that fails is there, and everything is tried', async () => {
  const phone = await phoneOfSingles(20)
  phone.answerSinglesWith(() => ours({ error: 'Oops' }, 500))
  const drained = await phone.drain()
  expect(phone.singles).toHaveLength(20)
  expect(drained).toMatchObject({ reached: true })
})

test('S15: lanes of what was refused are named, with the entry refused', async () => {
  const phone = await phoneOfSingles(3)
  const [, bad = ''] = phone.ids
  phone.answerSinglesWith((key) =>
    key === bad
      ? Response.json({ error: 'Too long', reason: 'invalid' }, { status: 400 })
      : ok(key),
  )
  const drained = await phone.drain()
  expect([...(drained?.refused ?? [])]).toEqual(['lane 1'])
  expect(drained).toMatchObject({ reached: true })
  expect(drained?.nextAt).toBeUndefined()
  expect(await phone.states()).toEqual(['done', 'refused invalid', 'done'])
})

test('S12: an answer to a change that says "unchanged" is none of ours, and the entry is kept', async () => {
  const phone = await phoneOfSingles(1)
  phone.answerSinglesWith(() => new Response(null, { status: 304 }))
  await phone.drain()
  expect(await phone.states()).toEqual(['retrying unavailable'])
})

test('S48: what our server did is done, though this build cannot read how it says so', async () => {
  const phone = await phoneOfSingles(1)
  const headers = { [serverVersionHeader]: '99' }
  phone.answerSinglesWith(() => Response.json({ report: 7 }, { status: 201, headers }))
  await phone.drain()
  expect(await phone.states()).toEqual(['done'])
})

test('S17: on a phone without locks what another tab has leased is left to it, and looked at when it is free', async () => {
  const phone = await batchPhone(issues(2))
  const until = phone.clock.monotonic() + 90_000
  const [first] = await phone.db.outbox.toArray()
  if (!first) throw new Error('An entry')
  await phone.db.outbox.update(first.seq, { state: 'sending', lease: { holder: 'another', until } })
  const locks = {
    exclusive: false,
    run: async (_: string, work: () => Promise<void>) => {
      await work()
      return true
    },
  }
  const drained = await phone.drain({ locks })
  expect(await phone.states()).toEqual(['sending', 'done'])
  expect(drained?.nextAt).toBe(until)
})
