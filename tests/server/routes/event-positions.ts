import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dexieDatabase } from '../../helpers/server/dexie-server.ts'
import { type EventReader, readEvents } from '../../helpers/server/event-reader.ts'
import { untilHeard } from '../../helpers/server/heard-events.ts'
import {
  type Person,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'

const minute = 60_000
const soon = { interval: 2 }

type Extent = {
  /** Of the property about broken connections. */ runs: number /** In one row. */
  events: number
}

export function eventPositions({ runs, events }: Extent) {
  describe.each(['PostgreSQL', 'IndexedDB'] as const)('over %s', (adapter) => {
    let servers: [TestServer, TestServer]
    let ama: Person
    beforeAll(async () => {
      const one = await startTestServer(adapter === 'IndexedDB' ? dexieDatabase() : undefined)
      servers = [one, await startTestServer(one.database)]
      ama = await one.sender()
      // What is told of her sign-up is none of what the tests count.
      for (const { repo } of servers) await untilHeard(one.repo, repo)
    })
    afterAll(async () => {
      await servers[1].close()
      await servers[0].close()
    })

    async function open(at: 0 | 1, last?: string, token = ama.token) {
      const headers: Record<string, string> = last ? { 'last-event-id': last } : {}
      return readEvents(await servers[at].raw('GET', '/events', { token, headers }))
    }

    /** Events for Ama; those for somebody else lie between them. */
    const publish = (at: 0 | 1, ids: string[], to = ama.user.ID) =>
      servers[at].repo.transaction(async (stores) => {
        for (const id of ids) {
          // A transaction of IndexedDB without work ends at once.
          await stores.settings.get(id)
          await stores.publish({ about: 'users', id: `not ${id}`, to: ['somebody else'] })
          await stores.publish({ about: 'delivery', id, to: [to] })
        }
      })

    const counts = [0, 0]
    const heardAt = (at: 0 | 1) => counts[at]
    const countEvents = () =>
      servers.map(({ repo }, at) =>
        repo.listen(
          ({ to }) => {
            if (to.includes(ama.user.ID)) counts[at] = (counts[at] ?? 0) + 1
          },
          () => undefined,
        ),
      )

    const idsOf = (reader: EventReader) => reader.news().map(({ id }) => id)

    test('R94: whenever a reader breaks off and comes back, it hears every event once and in order', async () => {
      const step = fc.oneof(
        fc.record({ do: fc.constant('publish' as const), count: fc.integer({ min: 1, max: 6 }) }),
        // After so many messages the connection breaks; `at` is the process it comes back to.
        fc.record({
          do: fc.constant('break' as const),
          lost: fc.nat(3),
          at: fc.constantFrom(0 as const, 1 as const),
        }),
      )
      const stops = countEvents()
      let number = 0
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
          const published: string[] = []
          const heard: (string | undefined)[] = []
          // What was published before is heard before: it is none of what this reader is for.
          await expect.poll(() => Math.min(...counts), soon).toBe(number)
          let reader = await open(0)
          await expect.poll(() => reader.hello(), soon).toBeDefined()
          let last = reader.hello()?.id
          /** What the connection brought, but for the last messages, which are lost with it. */
          const take = (lost: number) => {
            reader.stop()
            const kept = reader.messages.slice(0, Math.max(1, reader.messages.length - lost))
            for (const message of kept) {
              if (message.event === 'news') heard.push(JSON.parse(message.data).id)
              last = message.id ?? last
              expect(message.event).not.toBe('reset')
            }
          }
          for (const each of steps) {
            if (each.do === 'publish') {
              const ids = Array.from({ length: each.count }, () => `event ${++number}`)
              await publish(0, ids)
              published.push(...ids)
              continue
            }
            take(each.lost)
            // An ID works at a process that has heard its event.
            await expect.poll(() => heardAt(each.at), soon).toBe(number)
            // Tabs hear events in orders of their own, so there an ID is known to one of them alone.
            reader = await open(adapter === 'IndexedDB' ? 0 : each.at, last)
            await expect.poll(() => reader.hello(), soon).toBeDefined()
            expect(reader.hello()?.data).toBe('{"continued":true}')
          }
          await expect.poll(() => [...heard, ...idsOf(reader)], soon).toEqual(published)
          take(0)
          expect(heard).toEqual(published)
        }),
        { numRuns: runs, seed: 11, endOnFailure: true },
      )
      for (const stop of stops) stop()
    })

    test(`R94: ${events} events in a row reach a reader who reads, in order`, async () => {
      const reader = await open(0)
      const ids = Array.from({ length: events }, (_, at) => `row ${at}`)
      for (let from = 0; from < ids.length; from += 100) {
        await publish(0, ids.slice(from, from + 100))
        await expect.poll(() => reader.news().length, soon).toBe(from + 100)
      }
      expect(idsOf(reader)).toEqual(ids)
      // Far more than are kept: whoever broke off at the beginning starts again.
      const late = await open(0, present(reader.hello()?.id))
      await expect.poll(() => late.wasReset()).toBe(true)
      expect(late.hello()?.data).toBe('{}')
      reader.stop()
      late.stop()
    }, 60_000)

    test('R94: a reader who does not read is closed, and continues where it stopped', async () => {
      const response = await servers[0].raw('GET', '/events', { token: ama.token })
      let heard = 0
      const stop = servers[0].repo.listen(
        ({ to }) => {
          if (to.includes(ama.user.ID)) heard++
        },
        () => undefined,
      )
      for (let n = 0; n < 8; n++) await publish(0, [`${n} ${'x'.repeat(20_000)}`])
      // The stream has been offered all of them.
      await expect.poll(() => heard).toBe(8)
      stop()
      const reader = readEvents(response)
      await expect.poll(() => reader.hasEnded()).toBe(true)
      const got = reader.news().length
      expect(got).toBeGreaterThan(0)
      expect(got).toBeLessThan(8)
      const again = await open(0, reader.messages.at(-1)?.id)
      await expect.poll(() => again.hello()).toBeDefined()
      // More than a slow connection takes at once is read anew instead.
      const missed = (8 - got) * 20_000
      expect(again.wasReset()).toBe(missed >= 64_000)
      again.stop()
    })

    test('R94: after ten minutes, or with an ID of nobody, a reader starts again', async () => {
      const reader = await open(0)
      await publish(0, ['old'])
      await expect.poll(() => idsOf(reader)).toEqual(['old'])
      const [hello, old] = reader.messages.map(({ id }) => present(id))
      reader.stop()
      const replay = await open(0, hello)
      await expect.poll(() => idsOf(replay)).toEqual(['old'])
      replay.stop()
      servers[0].clock.advance(11 * minute)
      for (const last of [present(hello), 'of nobody']) {
        const late = await open(0, last)
        await expect.poll(() => late.wasReset()).toBe(true)
        expect(idsOf(late)).toEqual([])
        late.stop()
      }
      // Nothing was missed after the newest one, however long ago it was.
      const newest = await open(0, old)
      await expect.poll(() => newest.hello()?.data).toBe('{"continued":true}')
      newest.stop()
    })

    test('R94: who may no longer receive an event does not get it on coming back', async () => {
      const admin = await servers[0].admin()
      const driver = await servers[0].driver()
      const headers = (last?: string): Record<string, string> =>
        last ? { 'last-event-id': last } : {}
      const connect = async (last?: string) =>
        readEvents(
          await servers[0].raw('GET', '/events', { token: driver.token, headers: headers(last) }),
        )
      const first = await connect()
      await expect.poll(() => first.hello()).toBeDefined()
      first.stop()
      const { delivery } = await servers[0].guestDelivery()
      const body = { status: 'rejected' as const }
      await servers[0].ask('reviewDriver', { token: admin.token, id: driver.user.ID, body })
      await untilHeard(servers[0].repo)
      const again = await connect(first.hello()?.id)
      await expect.poll(() => again.news()).toContainEqual({ about: 'me' })
      expect(again.news().every(({ about }) => about === 'me')).toBe(true)
      expect(JSON.stringify(again.messages)).not.toContain(delivery.ID)
      again.stop()
    })
  })
}
