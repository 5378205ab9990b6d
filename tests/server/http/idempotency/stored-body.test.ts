import fc from 'fast-check'
import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { Delivery } from '#domain/deliveries/delivery.ts'
import { storedResponses } from '#server/http/idempotency/idempotency.ts'
import { storedBody } from '#server/http/idempotency/stored-body.ts'
import { expireOldRows } from '#server/node/upkeep/expire-old-rows.ts'
import { maxSealed } from '#server/ports/stores/request-store.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const day = 24 * 60 * 60_000
const bytes = (text: string) => new TextEncoder().encode(text).length

const step = (n: number, reason = '') => ({
  status: 'Accepted',
  at: new Date(n).toISOString(),
  reason,
})

describe('R141: what is stored of an answer', () => {
  test('is all of it where it fits', () => {
    const body = { delivery: { history: Array.from({ length: 40 }, (_, n) => step(n)) } }
    expect(storedBody(body, 8_000)).toBe(JSON.stringify(body))
  })

  test('is without history and incidents before the newest ten where it does not', () => {
    const history = Array.from({ length: 300 }, (_, n) => step(n))
    const incidents = history.map(({ at }) => ({ at, kind: 'attempt', note: 'x'.repeat(200) }))
    const itemDescription = 'Documents '.repeat(50)
    const cut = JSON.parse(storedBody({ delivery: { history, incidents, itemDescription } }, 8_000))
    expect(cut.delivery.history).toEqual(history.slice(-10))
    expect(cut.delivery.incidents).toEqual(incidents.slice(-10))
    expect(cut.delivery.itemDescription).toBe(itemDescription)
  })

  test('never has more bytes, whatever is in it, and keeps its shape', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 0, maxLength: 1_000, size: 'max' })
    const of = fc.record({
      ID: fc.uuid(),
      itemDescription: text,
      recipientName: text,
      senderName: text,
      itemPhoto: text,
      proofOfDelivery: text,
      pickupPlace: fc.record({ text, note: text }),
      history: fc.array(fc.record({ at: fc.constant(new Date(0).toISOString()), reason: text }), {
        maxLength: 30,
        size: 'max',
      }),
      roads: fc.array(fc.record({ to: text, km: fc.nat() }), { maxLength: 30, size: 'max' }),
    })
    fc.assert(
      fc.property(of, (delivery) => {
        const stored = storedBody({ delivery }, 8_000)
        expect(bytes(stored)).toBeLessThanOrEqual(8_000)
        expect(JSON.parse(stored).delivery.ID).toBe(delivery.ID)
      }),
      { numRuns: 30, seed: 2 },
    )
  })
})

overIndexedDb((server) => {
  test('R141: a repeat of a delivery with a long history gets an answer that an app can read', async () => {
    const guest = await server().guestDelivery()
    const { ID: id } = guest.delivery
    const reason = 'ẞ'.repeat(900)
    let token = ''
    for (let n = 0; n < 12; n++) {
      // A driver accepts a job three times at most.
      if (n % 3 === 0) token = (await server().driver()).token
      await server().ask('acceptDelivery', { token, id })
      if (n < 11) await server().ask('releaseJob', { token, id, body: { reason } })
    }
    const about = { token, id }
    const key = v7()
    const pickUp = () =>
      server().ask('changeStatus', { ...about, key, body: { status: 'Picked Up' } })
    const first = await pickUp()
    const again = await pickUp()
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(first.value?.delivery.history?.length).toBeGreaterThan(20)
    expect(Delivery.safeParse(again.value?.delivery).success).toBe(true)
    expect(again.value?.delivery.history?.at(-1)?.status).toBe('Picked Up')
    expect(await server().repo.read(({ requests }) => requests.tooLarge(10))).toEqual([])
  })

  test('R141: an answer that a version before stored without a limit is cut, and its key still has no second effect', async () => {
    const [yaw, guest] = [await server().driver(), await server().guestDelivery()]
    const key = v7()
    const accept = () =>
      server().ask('acceptDelivery', { token: yaw.token, id: guest.delivery.ID, key })
    const { value } = await accept()
    const { secrets, repo } = server().ports
    const id = storedResponses(repo, secrets).idOf({ person: yaw.user.ID, key })
    const history = Array.from({ length: 1_000 }, (_, n) => step(n))
    const large = { delivery: { ...value?.delivery, history } }
    const sealed = secrets.seal(JSON.stringify(large), id)
    const unreadable = new Uint8Array(maxSealed + 1)
    await repo.transaction(async ({ requests }) => {
      await requests.answer(id, 200, sealed)
      await requests.claim('unreadable', '', new Date(server().clock.now()).toISOString())
      await requests.answer('unreadable', 200, unreadable)
    })
    await expireOldRows(server().ports)
    const again = await accept()
    expect([again.replayed, again.value?.delivery.history?.length]).toEqual([true, 10])
    expect(await repo.read(({ requests }) => requests.tooLarge(10))).toEqual([])
  })

  test('R141: a refusal is repeated for seven days, a success for ninety', async () => {
    const ama = await server().sender()
    const [refusedKey, key] = [v7(), v7()]
    const path = `/sessions/${v7()}`
    const ask = () => server().raw('DELETE', path, { token: ama.token, key: refusedKey })
    const request = server().request()
    const create = () =>
      server().raw('POST', '/sender/deliveries', { token: ama.token, key, body: request })
    expect([(await ask()).status, (await create()).status]).toEqual([404, 201])
    server().clock.advance(7 * day - 60_000)
    await expireOldRows(server().ports)
    const replayed = async (answer: Promise<Response>) =>
      (await answer).headers.get('idempotent-replayed')
    expect([await replayed(ask()), await replayed(create())]).toEqual(['true', 'true'])
    server().clock.advance(120_000)
    await expireOldRows(server().ports)
    expect([await replayed(ask()), await replayed(create())]).toEqual([null, 'true'])
  })
})
