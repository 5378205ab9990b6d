import { AsyncLocalStorage } from 'node:async_hooks'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { storagePolicy } from '#server/http/idempotency/idempotency.ts'
import { defaultLimits, limitsWith, looseLimits } from '#server/ports/limits.ts'
import { batchLines, operation, sendBatch } from '../../helpers/server/batch.ts'
import {
  type Person,
  present,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'
import { overPostgres } from '../both-adapters.ts'

const minute = 60_000
const hour = 60 * minute
const nothing = '00000000-0000-4000-8000-000000000000'

const optionsWith = (tries: Parameters<typeof limitsWith>[0]) => {
  const names = Object.keys(tries) as (keyof typeof tries)[]
  const some = Object.fromEntries(names.map((name) => [name, limitsWith(tries)[name]]))
  return { ...testOptions, limits: { ...looseLimits, ...some } }
}

/** Changes that need a token, and are not refused for want of one. */
const changes = (Object.entries(endpoints) as [Op, Endpoint][]).filter(
  ([op, { method, access }]) =>
    method !== 'GET' && op !== 'logout' && !['anyone', 'anyone-or-person'].includes(access),
)
const ofGuests = changes.filter(([, { access }]) => ['guest', 'person-or-guest'].includes(access))

const ask = (server: TestServer, token: string, { method, path }: Endpoint, key?: string) =>
  server.raw(method, path.replace(':id', nothing), { token, key, body: {} })

/** Asks for what is refused, until the limit is reached. */
async function exhaust(server: TestServer, token: string, times: number) {
  for (let n = 0; n < times; n++) {
    const answer = await ask(server, token, endpoints.endSession, crypto.randomUUID())
    expect(answer.status).not.toBe(429)
  }
}

overPostgres(
  (server) => {
    let yaw: Person
    beforeEach(async () => {
      yaw = await server().driver()
      server().clock.advance(15 * minute + 1)
    })

    test('R140: beyond the limit each change of an account is 429, whatever it asks for, and after its time it is not', async () => {
      await exhaust(server(), yaw.token, 12)
      for (const [op, endpoint] of changes) {
        const answer = await ask(server(), yaw.token, endpoint, crypto.randomUUID())
        expect([op, answer.status, (await answer.json()).reason]).toEqual([op, 429, 'too-many'])
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      }
      expect((await server().raw('GET', '/users/me', { token: yaw.token })).status).toBe(200)
      server().clock.advance(15 * minute)
      await exhaust(server(), yaw.token, 1)
    })

    test('R140: a change that is refused before it is read counts, and a person who has made too many can log out', async () => {
      const ama = await server().sender()
      server().clock.advance(15 * minute + 1)
      const asDriver = () => ask(server(), ama.token, endpoints.acceptDelivery)
      const malformed = () =>
        server().raw('POST', '/sender/deliveries', { token: ama.token, body: '{' })
      for (let n = 0; n < 6; n++)
        expect([(await asDriver()).status, (await malformed()).status]).toEqual([403, 400])
      expect([(await asDriver()).status, (await malformed()).status]).toEqual([429, 429])
      expect((await server().raw('POST', '/logout', { token: ama.token })).status).toBe(200)
    })

    test('R140: who is beyond the limit is refused before their turn: each change by itself, and all of a batch in one chunk', async () => {
      await exhaust(server(), yaw.token, 12)
      await ask(server(), yaw.token, endpoints.endSession, crypto.randomUUID())
      const { token } = yaw
      const { read, transaction } = server().repo
      let reads = 0
      // The server reads something of its own, now and then.
      const asked = new AsyncLocalStorage<true>()
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      onTestFinished(() => {
        release()
        Object.assign(server().repo, { read, transaction })
      })
      const begun = new Promise<void>((begins) => {
        server().repo.transaction = async (work) => {
          begins()
          await held
          return transaction(work)
        }
      })
      // It is never refused, and takes their turn.
      const leaving = batchLines(server(), [operation('POST', '/logout')], { token })
      await begun

      server().repo.read = (work) => {
        if (asked.getStore()) reads++
        return read(work)
      }
      for (const [op, endpoint] of changes) {
        reads = 0
        const answer = await asked.run(true, () =>
          ask(server(), token, endpoint, crypto.randomUUID()),
        )
        // Its token, and its stored answer where it can have one.
        expect([op, answer.status, reads <= 2]).toEqual([op, 429, true])
      }
      reads = 0
      const all = changes
        .filter(([, { access, path }]) => !access.startsWith('anyone') && !path.includes(':key'))
        // It may carry a password or a code, which no batch takes.
        .filter(([op, endpoint]) => storagePolicy(op as Op, endpoint) !== 'never')
        .map(([, { method, path }]) => operation(method, path.replace(':id', nothing)))
      const answer = await asked.run(true, () => sendBatch(server(), all, { token }))
      const reader = present(answer.body).getReader()
      const chunk = new TextDecoder().decode((await reader.read()).value)
      expect(chunk.match(/"status":429/g)).toHaveLength(all.length)
      expect(reads).toBe(2)
      release()
      expect((await leaving).map(({ status }) => status)).toEqual([200])
    })

    test('R140: a guest’s token has a limit of its own', async () => {
      const guest = await server().guestDelivery()
      await exhaust(server(), guest.token, 12)
      for (const [op, endpoint] of ofGuests)
        expect([op, (await ask(server(), guest.token, endpoint)).status]).toEqual([op, 429])
      const other = await server().guestDelivery()
      await exhaust(server(), other.token, 1)
    })

    test('R140: an admin is never refused', async () => {
      const { token } = await server().admin()
      await exhaust(server(), token, 30)
    })

    test('R140: every operation of a batch counts, the repeat of a stored response never, also beyond the limit', async () => {
      const { token } = yaw
      const refused = () => operation('DELETE', `/sessions/${nothing}`)
      const first = Array.from({ length: 8 }, refused)
      const statuses = async (operations: typeof first) =>
        (await batchLines(server(), operations, { token })).map(({ status }) => status)
      expect(await statuses(first)).toEqual(Array(8).fill(404))
      expect(await statuses(first)).toEqual(Array(8).fill(404))
      const [{ key = '' } = {}] = first
      const again = () => ask(server(), token, endpoints.endSession, key)
      for (let n = 0; n < 9; n++)
        expect((await again()).headers.get('idempotent-replayed')).toBe('true')
      const lines = await batchLines(server(), Array.from({ length: 6 }, refused), { token })
      expect(lines.map(({ status }) => status)).toEqual([404, 404, 404, 404, 429, 429])
      expect(lines.at(-1)?.retryAfter).toBeGreaterThan(0)
      expect(await statuses(first)).toEqual(Array(8).fill(404))
      expect((await again()).status).toBe(404)
    })
  },
  { options: optionsWith({ changes: 12 }) },
)

overPostgres(
  (server) => {
    const cancel = async (by: Person, id: string) => server().changeStatus(by, id, 'Cancelled')

    test('R140: an account makes so many requests in an hour; refused ones do not count', async () => {
      const [ama, efua] = [await server().sender(), await server().sender()]
      const create = (by: Person) =>
        server().raw('POST', '/sender/deliveries', { token: by.token, body: server().request() })
      for (let n = 0; n < 4; n++) {
        const made = await create(ama)
        expect(made.status).toBe(201)
        expect((await create(ama)).status).toBe(n < 3 ? 409 : 429)
        await cancel(ama, (await made.json()).delivery.ID)
      }
      const refused = await create(ama)
      expect([refused.status, Number(refused.headers.get('retry-after')) > 60]).toEqual([429, true])
      expect((await create(efua)).status).toBe(201)
      server().clock.advance(hour)
      expect((await create(ama)).status).toBe(201)
    })

    test('R140: a driver gives so many jobs back in a day', async () => {
      const yaw = await server().driver()
      const giveBack = async () => {
        const guest = await server().guestDelivery()
        await server().drive(guest.delivery, yaw, 'Accepted')
        const path = `/driver/deliveries/${guest.delivery.ID}/release`
        return server().raw('POST', path, { token: yaw.token, body: { reason: 'A flat tyre' } })
      }
      expect([(await giveBack()).status, (await giveBack()).status]).toEqual([200, 200])
      const third = await giveBack()
      expect([third.status, Number(third.headers.get('retry-after')) > 3_600]).toEqual([429, true])
    })
  },
  { options: optionsWith({ creates: 4, giveBacks: 2 }) },
)

describe('several servers over one database', () => {
  test('R140: count the changes of an account together', async () => {
    const options = optionsWith({ changes: 20 })
    const one = await startTestServer(undefined, { options })
    const two = await startTestServer(one.database, { options })
    const ama = await one.sender()
    one.clock.advance(15 * minute + 1)
    two.clock.advance(15 * minute + 1)
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        ask(present([one, two][n % 2]), ama.token, endpoints.endSession),
      ),
    )
    const served = answers.filter(({ status }) => status === 404)
    expect(served).toHaveLength(20)
    await two.close()
    await one.close()
  })

  test('R140: a batch of fifty requests and cancels sends drivers no more than sixty events of 8 kB', async () => {
    const { creates } = defaultLimits
    const server = await startTestServer(undefined, {
      options: { ...testOptions, limits: { ...looseLimits, creates } },
    })
    const ama = await server.sender()
    const heard: number[] = []
    const stop = server.repo.listen(
      (event) => event.drivers && heard.push(JSON.stringify(event).length),
      () => {},
    )
    const body = server.request({ itemDescription: 'x'.repeat(1_000) })
    let before: string[] = []
    const operations = Array.from({ length: 50 }).flatMap(() => {
      const create = operation('POST', '/sender/deliveries', { body, after: before })
      const path = `/deliveries/${create.key}/status`
      const cancelled = { body: { status: 'Cancelled' }, after: [create.key] }
      const cancel = operation('PATCH', path, cancelled)
      before = [cancel.key]
      return [create, cancel]
    })
    const lines = await batchLines(server, operations, { token: ama.token })
    const made = lines.filter(({ status }) => status === 201)
    expect(made).toHaveLength(creates.tries)
    await expect.poll(() => heard.length).toBe(2 * creates.tries)
    expect(Math.max(...heard)).toBeLessThan(8_000)
    stop()
    await server.close()
  })
})
