import { v7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import type { Endpoint } from '#operations/endpoint.ts'
import { storagePolicy } from '#server/http/idempotency/idempotency.ts'
import { startTestServer, type TestServer } from '../../../helpers/server/server.ts'

/*
 * Which responses are stored under a request key (R70, R71).
 */

/** Calls of which less is stored than their final response. */
const exceptions: Partial<Record<Op, ReturnType<typeof storagePolicy>>> = {
  // Their responses hold tokens, or show whether a code or password was right.
  login: 'never',
  signup: 'never',
  acceptInvitation: 'never',
  requestReset: 'never',
  resetPassword: 'never',
  confirmPhone: 'never',
  resendCode: 'never',
  recoverGuest: 'never',
  confirmGuestRecovery: 'never',
  confirmNotification: 'never',
  changeProfile: 'never',
  deleteMe: 'never',
  confirmPayout: 'never',
  inviteColleague: 'never',
  startSecondFactor: 'never',
  confirmSecondFactor: 'never',
  endSecondFactor: 'never',
  // A guest whose response was lost must get their token by repeating the request.
  createGuestDelivery: 'success',
  withdrawRequest: 'success',
}

const table = Object.entries(endpoints) as [Op, Endpoint][]
const mutations = table.filter(([, { method }]) => method !== 'GET')

test('R70: of every mutation but these the final response is stored', () => {
  for (const [op, line] of mutations)
    expect([op, storagePolicy(op, line)]).toEqual([op, exceptions[op] ?? 'final'])
})

const open = mutations.filter(([, { access }]) => access.startsWith('anyone'))

test('R71: an anonymous call stores no refusal, and a call added later stores nothing', () => {
  for (const [op, line] of open) expect([op, storagePolicy(op, line)]).not.toEqual([op, 'final'])
  for (const by of ['anyone', 'anyone-or-person', 'anyone-or-caller'] as const)
    expect(storagePolicy('added later' as Op, { access: by })).toBe('never')
})

describe('sent with a request key', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  const stored = async () => {
    const { rows } = await server
      .pool()
      .query<{ n: number }>('select count(*)::int n from requests')
    return rows[0]?.n
  }

  /** Inputs of each call: one that is refused and one that succeeds. */
  async function questions(): Promise<
    Record<string, { id?: string; no: object; yes: () => object }>
  > {
    const efua = await server.signUp('sender')
    const code = server.codeSentTo(efua.phone)
    const ama = await server.sender()
    const phone_number = ama.phone
    await server.ask('requestReset', { body: { phone_number } })
    const reset = server.codeSentTo(phone_number)
    const guest = { ...server.request(), senderName: 'K', senderPhone: server.newPhone() }
    const lost = await server.guestDelivery()
    await server.ask('recoverGuest', { body: { guestPhone: lost.phone } })
    const found = server.codeSentTo(lost.phone)
    const gone = await server.guestDelivery()
    await server.ask('changeGuestStatus', {
      token: gone.token,
      id: gone.delivery.ID,
      body: { status: 'Cancelled', guestPhone: gone.phone },
    })
    await server.ask('recoverGuest', { body: { guestPhone: gone.phone } })
    const erased = server.codeSentTo(gone.phone)
    const told = '019a0000-0000-7000-8000-00000000000e'
    const at = new Date().toISOString()
    const to = { user: ama.user.ID }
    await server.repo.transaction(async ({ notifications }) =>
      notifications?.add({ id: told, kind: 'application', to, at, dueAt: at, tries: 0 }),
    )
    const signup = { name: 'N', password: 'long enough', role: 'sender' }
    const number = server.newPhone()
    const invited = { email: 'invited@example.com', role: 'support' as const }
    const { token } = await server.admin()
    const { value } = await server.ask('inviteColleague', { token, body: invited })
    return {
      login: {
        no: { email: ama.email, password: 'wrong' },
        yes: () => ({ email: ama.email, password: 'another password' }),
      },
      signup: {
        no: { ...signup, email: ama.email, phone_number: number },
        yes: () => ({ ...signup, email: 'new@example.com', phone_number: number }),
      },
      acceptInvitation: {
        id: value?.link.split('#')[1],
        no: { name: 'N', password: 'short' },
        yes: () => ({ name: 'N', password: 'long enough' }),
      },
      requestReset: { no: { phone_number: '1' }, yes: () => ({ phone_number }) },
      resendCode: { no: { phone_number: '1' }, yes: () => ({ phone_number: efua.phone }) },
      resetPassword: {
        no: { phone_number, code: 'nope', new_password: 'another password' },
        yes: () => ({ phone_number, code: reset, new_password: 'another password' }),
      },
      confirmPhone: {
        no: { phone_number: efua.phone, code: 'nope' },
        yes: () => ({ phone_number: efua.phone, code }),
      },
      recoverGuest: { no: { guestPhone: '1' }, yes: () => ({ guestPhone: guest.senderPhone }) },
      confirmGuestRecovery: {
        no: { guestPhone: lost.phone, code: 'nope' },
        yes: () => ({ guestPhone: lost.phone, code: found }),
      },
      deleteMe: {
        no: { guestPhone: gone.phone, code: 'nope' },
        yes: () => ({ guestPhone: gone.phone, code: erased }),
      },
      confirmNotification: { no: { id: '1' }, yes: () => ({ id: told }) },
      createGuestDelivery: { no: { ...guest, pickupZone: 'Nowhere' }, yes: () => guest },
    }
  }

  test('R71: a refused anonymous call stores no response, and a successful one only a guest’s create', async () => {
    const all = await questions()
    // A withdrawal writes the row of the request that it takes back (R154).
    const others = open.map(([op]) => op).filter((op) => op !== 'withdrawRequest')
    expect(Object.keys(all).sort()).toEqual(others.sort())
    // The reset comes first, and each code is used before another replaces it.
    const order = ['resetPassword', 'confirmPhone', ...Object.keys(all)]
    for (const op of new Set(order) as Set<Op>) {
      const { id = '', no, yes } = all[op] ?? { no: {}, yes: () => ({}) }
      const { method } = endpoints[op]
      const path = endpoints[op].path.replace(/:\w+/, id)
      const before = await stored()
      const key = v7()
      const refused = await server.raw(method, path, { key, body: no })
      expect([op, refused.status >= 400]).toEqual([op, true])
      expect([op, await stored()]).toEqual([op, before])
      // The same key with a correct input: the refusal was not stored.
      const done = await server.raw(method, path, { key, body: yes() })
      expect([op, done.status, done.ok]).toEqual([op, endpoints[op].status, true])
      expect(done.headers.get('idempotent-replayed')).toBeNull()
      const grown = Number(await stored()) - Number(before)
      // A deletion takes the response of the guest's create along (R216).
      const stays = exceptions[op] === 'success' ? 1 : op === 'deleteMe' ? -1 : 0
      expect([op, grown]).toEqual([op, stays])
    }
  })
})
