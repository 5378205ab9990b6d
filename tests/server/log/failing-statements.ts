import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { reasonTexts } from '#domain/errors.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { present } from '../../helpers/server/server.ts'
import { table } from '../security/access/access-table.ts'
import { secretsOf } from '../security/access/visible-fields.ts'
import {
  type AccessFixture,
  type Kind,
  type Role,
  type Stage,
  startAccessFixture,
  targetOf,
  tokenOf,
} from '../security/access-fixture.ts'
import { createFaults } from '../security/faults.ts'

/** The caller and delivery of each call. After all its failures each call succeeds once. */
type Cast = { role: Role; kind?: Kind; stage?: Stage }
const cast: Partial<Record<Op, Cast>> = {
  logout: { role: 'rejectedDriver' },
  changePhone: { role: 'unverifiedSender' },
  endSession: { role: 'pendingDriver' },
  driverStatus: { role: 'otherDriver' },
  availableDeliveries: { role: 'otherDriver' },
  driverDeliveries: { role: 'otherDriver' },
  acceptDelivery: { role: 'otherDriver', stage: 'Pending' },
  completeDelivery: { role: 'driverOf', stage: 'Picked Up' },
  getDelivery: { role: 'senderOf', stage: 'Accepted' },
  changeStatus: { role: 'senderOf', kind: 'account', stage: 'Delivered' },
  changeGuestStatus: { role: 'guestOf', kind: 'guest', stage: 'Pending' },
  createDispute: { role: 'senderOf', stage: 'Accepted' },
  createGuestDispute: { role: 'guestOf', kind: 'guest', stage: 'Accepted' },
}
const castOf = (op: Op): Required<Cast> => {
  const { access }: Endpoint = endpoints[op]
  const usual: Role =
    access === 'admin' || access === 'office'
      ? 'admin'
      : access === 'anyone'
        ? 'none'
        : 'otherSender'
  return { role: usual, kind: 'account', stage: 'Accepted', ...cast[op] }
}

const ops = Object.keys(endpoints) as Op[]
const most = 400
const tables = [
  ...[
    'activities',
    'applications',
    'audit',
    'confirmed_phones',
    'deliveries',
    'disputes',
    'entries',
  ],
  ...[
    'guest_tokens',
    'invitations',
    'items',
    'notifications',
    'payments',
    'photos',
    'push_subscriptions',
  ],
  ...['settings', 'transfers', 'user_notes', 'users', 'zone_roads', 'zones'],
]

/**
 * The first statement of each call fails once, and each `step`-th after it: the response is plain, the data are as before,
 * and the log contains no secret.
 */
export const failingStatements = (step: number) =>
  describe('with failing statements', () => {
    const faults = createFaults()
    let fixture: AccessFixture
    beforeAll(async () => {
      fixture = await startAccessFixture()
      const { sms } = fixture.server.ports
      const { send } = sms
      // A provider whose error repeats the message, and with it the code.
      sms.send = async (text) => {
        await send(text)
        throw new Error(`Not sent to ${text.to}: ${text.text}`)
      }
      faults.over(fixture.server)
    })
    afterAll(() => fixture.server.close())

    /** Of every request of this run. */
    const bodies: object[] = []

    async function requestOf(op: Op) {
      const { method, path }: Endpoint = endpoints[op]
      const { role, kind, stage } = castOf(op)
      const target = targetOf(fixture, kind, stage)
      const token = tokenOf(fixture, role, target)
      const probe = present(op === 'changeStatus' ? table[op][1] : table[op][0])
      const id = (await probe.id?.(fixture, target, token)) ?? ''
      const body = method === 'GET' ? undefined : probe.body?.(fixture, target, token)
      const key = method === 'GET' ? undefined : v7()
      if (body) bodies.push(body)
      return { method, path: path.replace(/:\w+/, id), about: { token, body, key } }
    }

    /** A digest of all rows, but for what a refused call leaves too: attempts, keys of requests, when a session was used. */
    async function everything() {
      const digests = tables.map(
        (name) =>
          `(select md5(string_agg(t::text, ' ' order by t::text)) from ${name} t) as ${name}`,
      )
      const { rows } = await fixture.server.pool().query(`select ${digests.join(', ')}`)
      return rows[0]
    }

    describe.each(ops)('%s', (op) => {
      test('R76: a failure of any of its statements gives a plain error, and a repeat succeeds', async () => {
        const { method, path, about } = await requestOf(op)
        const before = method === 'GET' ? undefined : await everything()
        // A password attempt that the code could not end takes a place for a minute (R61).
        const takesPlace = op === 'endSecondFactor'
        let failures = 0
        // Another call's statement may have failed: an ID photo is moved some time after its sign-up.
        let isDone = false
        for (let n = 1; n <= most; n += step) {
          faults.failAt(n)
          const answer = await fixture.server.raw(method, path, about)
          const failed = faults.disarm()
          const body = await answer.json()
          if (!failed) {
            expect(answer.status, JSON.stringify(body)).toBeLessThan(500)
            if (!isDone) expect(answer.headers.get('idempotent-replayed')).toBeNull()
            break
          }
          failures++
          if (answer.status < 500) {
            isDone = true
            continue
          }
          const { reason } = body
          expect(body).toEqual({ error: reasonTexts[reason as 'internal' | 'unavailable'], reason })
          expect(answer.status).toBe(reason === 'unavailable' ? 503 : 500)
          if (before && !isDone) expect(await everything()).toEqual(before)
          if (takesPlace) fixture.server.clock.advance(60_000)
        }
        expect(failures).toBeLessThan(most)
        if (op !== 'config') expect(failures).toBeGreaterThan(0)
      })
    })

    /** Every secret of this run, and every text of a request. */
    function unspeakable(): string[] {
      const secrets = secretsOf(fixture).map(({ what, text }) =>
        what === 'a delivery code' || what === 'a delivery' ? '' : text,
      )
      const sent = bodies
        .flatMap((body) => Object.values(body))
        .filter((value): value is string => typeof value === 'string' && value.length > 8)
        .filter((value) => !['Cancelled', 'Picked Up', 'Documents'].includes(value))
      return [...secrets, ...sent, fixture.spare.password].filter((text) => text !== '')
    }

    test('R50: the log of all these failures contains no secret and no personal data', async () => {
      const log = fixture.server.logged.join('\n')
      for (const text of unspeakable()) expect(log.includes(text), text).toBe(false)
      const codes = [
        ...fixture.targets.map(({ code }) => code),
        ...fixture.server.sms.flatMap(({ text }) => text.match(/\b\d{6}\b/) ?? []),
      ]
      expect(codes.length).toBeGreaterThan(20)
      // Request IDs are random: five of their digits may equal a code.
      const withoutIds = log.replaceAll(/"request":"[0-9a-f-]{36}"/g, '')
      for (const code of codes) expect(withoutIds).not.toMatch(new RegExp(`(?<!\\d)${code}(?!\\d)`))
      expect(log).not.toMatch(
        /\b0\d{9}\b|@mail\.test|u_[\w-]{20}|g_[\w-]{20}|argon2|select |insert /,
      )
    })

    test('each failure is logged with its call, its error and its frames', () => {
      const log = fixture.server.logged
      for (const op of ops)
        if (op !== 'config')
          expect(
            log.some((line) => line.includes(`"op":"${op}"`)),
            op,
          ).toBe(true)
      const [line] = log.filter((each) => each.startsWith('A call failed'))
      expect(line).toMatch(/"type":"\w*Error"/)
      expect(line).toMatch(/"frames":\["at /)
      expect(log.join()).toMatch(/"code":"XX000","constraint":"a_constraint"/)
      expect(log.join()).toContain('An SMS was not sent')
    })

    test('a table locked for too long gives 503, and the request is not in the log', async () => {
      const { otherGuest, server } = fixture
      // Far below the server's own limit, so that the test is quick.
      server.pool().on('acquire', (client) => void client.query('set lock_timeout = 200'))
      const url = new URL(present(server.database.url))
      url.username = 'postgres'
      const owner = new pg.Client({ connectionString: url.href })
      await owner.connect()
      await owner.query('begin; lock table deliveries in access exclusive mode')
      const senderName = 'Unmistakable Sender'
      const body = { ...server.request(), senderName, senderPhone: '0558123456' }
      const made = server.raw('POST', '/guest/deliveries', { body, key: v7() })
      const read = server.raw('GET', `/deliveries/${otherGuest.delivery.ID}`, otherGuest)
      expect([(await made).status, (await read).status]).toEqual([503, 503])
      await owner.end()
      const log = server.logged.join('\n')
      expect(log).toContain('"code":"55P03"')
      for (const text of [senderName, '0558123456', otherGuest.token, body.recipientName])
        expect(log).not.toContain(text)
    })
  })
