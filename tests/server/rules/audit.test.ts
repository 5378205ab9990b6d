import { v7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { requestSchemaOf } from '#contract/queries.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { storagePolicy } from '#server/http/idempotency/idempotency.ts'
import { settleDueDeliveries } from '#server/rules/deliveries/due-deliveries.ts'
import { appCode } from '../../helpers/server/authenticator.ts'
import { type Person, present } from '../../helpers/server/server.ts'
import { overIndexedDb } from '../both-adapters.ts'

/** Every call with which an admin changes something. A new one without an input here fails. */
const acts = Object.entries(endpoints)
  .filter(
    ([, { access, method }]) =>
      (access === 'admin' || access === 'office') && (method as string) !== 'GET',
  )
  .map(([op]) => op as Op)

overIndexedDb((server) => {
  describe('the audit log', () => {
    let admin: Person
    beforeAll(async () => {
      admin = await server().admin()
    })

    async function entries(query: Record<string, string> = {}) {
      const { value } = await server().ask('adminAudit', { token: admin.token, query })
      return present(value)
    }

    /** An input with which each call succeeds: its row's ID and its body. */
    const good: Partial<Record<Op, () => Promise<{ id?: string; body?: object }>>> = {
      addZone: async () => ({ body: { name: `Zone ${v7()}` } }),
      addItem: async () => ({ body: { name: `Item ${v7()}` } }),
      changeSettings: async () => ({ body: { announcement: 'We are open.' } }),
      changeZone: async () => ({ id: await made('addZone'), body: { lat: 5.6, lng: -0.2 } }),
      removeZone: async () => ({ id: await made('addZone') }),
      changeItem: async () => ({ id: await made('addItem'), body: { place: 1 } }),
      removeItem: async () => ({ id: await made('addItem') }),
      reviewDriver: async () => {
        const driver = await server().signUp('driver')
        return { id: driver.user.ID, body: { status: 'approved' } }
      },
      resolveDispute: async () => {
        const sender = await server().sender()
        const { ID } = await server().delivery(sender)
        const { ID: id } = await server().report(sender, ID)
        return { id, body: { status: 'resolved', resolution: 'Settled' } }
      },
      suspendUser: async () => ({
        id: (await server().sender()).user.ID,
        body: { suspended: true, reason: 'Parcels were lost' },
      }),
      addNote: async () => ({
        id: (await server().sender()).user.ID,
        body: { text: 'Called, and did not answer' },
      }),
      inviteColleague: async () => ({ body: { email: `${v7()}@soma.test`, role: 'support' } }),
      startSecondFactor: async () => {
        await withoutSecondFactor()
        return { body: { password: admin.password } }
      },
      confirmSecondFactor: async () => {
        await withoutSecondFactor()
        const body = { password: admin.password }
        const { value } = await server().ask('startSecondFactor', { token: admin.token, body })
        return { body: { code: appCode(present(value).secret, server().clock.now()) } }
      },
      endSecondFactor: async () => {
        await withoutSecondFactor()
        return { body: { password: admin.password, code: '000000' } }
      },
      removeSecondFactor: async () => ({ id: await joined() }),
      changeColleague: async () => ({ id: await joined(), body: { role: 'admin' } }),
      removeColleague: async () => ({ id: await joined() }),
      assignDriver: async () => {
        const { ID: id } = await server().delivery(await server().sender())
        return { id, body: { driver: (await server().driver()).user.ID, reason: 'Nearest' } }
      },
      correctDelivery: async () => {
        const { ID: id } = await server().delivery(await server().sender())
        return { id, body: { recipientName: 'Esi Newname', reason: 'Misspelt' } }
      },
      reportFor: async () => {
        const { ID: id } = await server().delivery(await server().sender())
        return { id, body: { side: 'sender', issue: 'Wrong colour' } }
      },
      refundDelivery: async () => {
        const made = await server().delivery(await server().sender())
        await owedFor(made)
        await server().repo.transaction(async ({ deliveries }) => {
          const before = present(await deliveries.lock(made.ID))
          await deliveries.save(before, { ...before, payment: { status: 'released' } })
        })
        return { id: made.ID, body: { reason: 'It never arrived' } }
      },
      sendCode: async () => ({ id: (await server().delivery(await server().sender())).ID }),
      settlePayout: async () => {
        const made = await server().delivery(await server().sender())
        return { id: await owedFor(made), body: { status: 'paid', reference: 'MP1' } }
      },
    }
    /** The payout of a delivery that nobody approved. */
    async function owedFor(delivery: Delivery): Promise<string> {
      await server().drive(delivery, await server().driver(), 'Delivered')
      const clock = () => server().clock.now() + 49 * 3_600_000
      await settleDueDeliveries({ ...server().ports, clock })
      const rows = await server().repo.read(({ payments }) => payments.ofDelivery(delivery.ID))
      return present(rows[0]).id
    }
    const withoutSecondFactor = () =>
      server().repo.transaction(({ users }) => users.change(admin.user.ID, { factor: null }))
    async function joined(): Promise<string> {
      const body = { email: `${v7()}@soma.test`, role: 'support' as const }
      const made = await server().ask('inviteColleague', { token: admin.token, body })
      const id = new URL(present(made.value).link).hash.slice(1)
      const accepted = { name: 'Yaa Boateng', password: 'long enough' }
      const { value } = await server().ask('acceptInvitation', { id, body: accepted })
      return present(value).user.ID
    }
    async function made(op: 'addZone' | 'addItem'): Promise<string> {
      const { value } = await server().ask(op, { token: admin.token, body: { name: `N ${v7()}` } })
      const choice = present(value && ('zone' in value ? value.zone : value.item))
      return choice.ID
    }

    test('R57: has a row for each login as an admin that failed, and for none of other people', async () => {
      const ama = await server().sender()
      const login = (email: string) =>
        server().raw('POST', '/login', {
          body: { email, password: 'not the password' },
          address: '203.0.113.7',
        })
      const { total: before = 0 } = await entries()
      expect((await login(ama.email)).status).toBe(401)
      expect((await login('nobody@example.com')).status).toBe(401)
      expect((await login(admin.email.toUpperCase())).status).toBe(401)
      const { entries: all, total } = await entries()
      expect(total).toBe(before + 1)
      expect(all[0]).toMatchObject({
        Actor: admin.email,
        Action: 'failedLogin',
        Address: '203.0.113.7',
      })
    })

    test('R57: has a row for each look-up of a support code', async () => {
      const code = 'K7QX2MPD'
      const at = new Date(server().clock.now()).toISOString()
      await server().repo.transaction(({ devices }) => devices.add({ code, at, queueLength: 3 }))
      const { token } = admin
      const address = '203.0.113.8'
      expect((await server().raw('GET', `/admin/support/${code}`, { token, address })).status).toBe(
        200,
      )
      const { entries: all } = await entries()
      expect(all[0]).toMatchObject({
        Actor: admin.email,
        Action: 'adminDevice',
        Subject: code,
        Address: address,
      })
    })

    test.each(acts)('R57: has a row for %s, once, with or without a request key', async (op) => {
      const line: Endpoint = endpoints[op]
      for (const key of [undefined, v7()]) {
        const about = await present(good[op])()
        const path = line.path.replace(/:\w+/, about.id ?? '')
        const { total: before = 0 } = await entries()
        const ask = () =>
          server().raw(line.method, path, {
            token: admin.token,
            key,
            body: requestSchemaOf(op).body ? about.body : undefined,
            address: '203.0.113.9',
          })
        expect((await ask()).status).toBeLessThan(300)
        if (key && storagePolicy(op, line) !== 'never')
          expect((await ask()).headers.get('idempotent-replayed')).toBe('true')
        const { entries: rows, total = 0 } = await entries()
        expect(total - before).toBe(1)
        expect(rows[0]).toMatchObject({ Actor: admin.email, Action: op, Address: '203.0.113.9' })
        expect(rows[0]?.Subject).not.toBe('')
      }
    })

    test('R57: has a row for an admin’s cancel and login, and none for others or for refused calls', async () => {
      const sender = await server().sender()
      const { ID: id } = await server().delivery(sender)
      const { total: before = 0 } = await entries()
      const cancel = (by: Person) =>
        server().raw('PATCH', `/deliveries/${id}/status`, {
          token: by.token,
          body: { status: 'Cancelled' },
        })
      expect((await cancel(admin)).status).toBe(200)
      expect((await cancel(admin)).status).toBe(409)
      await server().delivery(sender)
      await server().admin()
      const { entries: rows, total = 0 } = await entries()
      expect(total - before).toBe(2)
      expect(rows.slice(0, 2).map(({ Action }) => Action)).toEqual(['login', 'changeStatus'])
      expect(rows[1]?.Subject).toBe(`${id}: Cancelled`)
    })
  })
})
