import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { argonPasswords } from '#server/node/passwords.ts'
import { limitsWith } from '#server/ports/limits.ts'
import {
  idNumberOf,
  type Person,
  photo,
  present,
  startTestServer,
  type TestServer,
  testOptions,
} from '../../helpers/server/server.ts'
import { overPostgres } from '../both-adapters.ts'

const minute = 60_000
const hour = 60 * minute

let addresses = 0
/** An address that no call has come from yet. */
const newAddress = () => `10.0.${addresses >> 8}.${addresses++ & 255}`

const statuses = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)
const count = (all: number[], status: number) => all.filter((each) => each === status).length

function signUp(server: TestServer, address: string, over: object = {}) {
  const phone_number = server.newPhone()
  const body = {
    name: 'N',
    email: `n${phone_number}@example.com`,
    password: 'long enough',
    role: 'sender',
    phone_number,
    ...over,
  }
  return server.raw('POST', '/signup', { address, body })
}

overPostgres(
  (server) => {
    // The users a test needs sign up from one and the same address.
    beforeEach(() => server().clock.advance(15 * minute + 1))
    const times = (n: number, ask: () => Promise<Response>) =>
      statuses(Array.from({ length: n }, ask))

    test('R64: ten sign-ups from one address; no password is hashed for the eleventh', async () => {
      const address = newAddress()
      const hash = vi.spyOn(server().ports.passwords, 'hash')
      const all = await times(25, () => signUp(server(), address))
      expect([count(all, 201), count(all, 429)]).toEqual([10, 15])
      expect(hash).toHaveBeenCalledTimes(10)
      hash.mockRestore()
      expect((await signUp(server(), newAddress())).status).toBe(201)
      server().clock.advance(15 * minute)
      expect((await signUp(server(), address)).status).toBe(201)
    })

    test('R64: a server clock that was a day ahead and was set back locks nobody out', async () => {
      const [address, ama] = [newAddress(), await server().sender()]
      const login = (password: string) =>
        server().raw('POST', '/login', { address, body: { email: ama.email, password } })
      server().clock.advance(24 * hour)
      await times(11, () => signUp(server(), address))
      await times(11, () => login('not the password'))
      expect((await signUp(server(), address)).status).toBe(429)
      expect((await login(ama.password)).status).toBe(429)
      server().clock.advance(-24 * hour)
      expect((await signUp(server(), address)).status).toBe(201)
      expect((await login(ama.password)).status).toBe(200)
    })

    test('R64: thirty guest requests from one address; a repeat with its key does not count', async () => {
      const address = newAddress()
      const first = server().guestRequest()
      const ask = (key: string = crypto.randomUUID(), body = server().guestRequest()) =>
        server().raw('POST', '/guest/deliveries', { address, key, body })
      const key = crypto.randomUUID()
      expect((await ask(key, first)).status).toBe(201)
      const all = await times(35, () => ask())
      expect([count(all, 201), count(all, 429)]).toEqual([29, 6])
      const again = await ask(key, first)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true'])
    })

    test('R64: ten codes from one address, for a reset or a verification, whether the number is known or not', async () => {
      const address = newAddress()
      const ask = (path: string) => () =>
        server().raw('POST', path, { address, body: { phone_number: server().newPhone() } })
      const all = [
        ...(await times(6, ask('/password/request-reset'))),
        ...(await times(6, ask('/verify/resend'))),
      ]
      expect([count(all, 200), count(all, 429)]).toEqual([10, 2])
      const refusal = await ask('/verify/resend')()
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    })

    test('R64: three price guides from one address, without a challenge; an account has its own three', async () => {
      const [address, ama] = [newAddress(), await server().sender()]
      const ask = (token?: string) => () =>
        server().raw('GET', '/price-guide?from=Osu&to=Tema', { address, token })
      const all = await times(6, ask())
      expect([count(all, 200), count(all, 429)]).toEqual([3, 3])
      const refusal = await ask()()
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refusal.json()).not.toHaveProperty('challenge')
      const own = await times(6, ask(ama.token))
      expect([count(own, 200), count(own, 429)]).toEqual([3, 3])
      server().clock.advance(15 * minute)
      expect((await ask()()).status).toBe(200)
    })

    test('R65: five disputes of one side about one delivery in a day; the other side has its own five', async () => {
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama)
      await server().drive(made, yaw, 'Accepted')
      const report = (by: Person) => () =>
        server().raw('POST', '/disputes', {
          token: by.token,
          body: {
            deliveryId: made.ID,
            issue: 'x',
            type: by === yaw ? 'driver_issue' : 'sender_issue',
          },
        })
      for (const by of [yaw, ama]) {
        const all = await times(8, report(by))
        expect([count(all, 201), count(all, 429)]).toEqual([5, 3])
      }
      server().clock.advance(24 * hour)
      expect((await report(ama)()).status).toBe(201)
    })

    test('R62: five wrong tries from one address end a code there, 25 from all end it for everybody', async () => {
      const wrongOf = (right: string) => (right === '000000' ? '000001' : '000000')
      const confirm = (phone_number: string, code: string, address: string) =>
        server().raw('POST', '/verify/confirm', { body: { phone_number, code }, address })

      const ama = await server().signUp('sender')
      const right = server().codeSentTo(ama.phone)
      const stranger = newAddress()
      for (let tries = 0; tries < 8; tries++) await confirm(ama.phone, wrongOf(right), stranger)
      expect((await confirm(ama.phone, right, stranger)).status).toBe(400)
      expect((await confirm(ama.phone, right, newAddress())).status).toBe(200)

      const efua = await server().signUp('sender')
      const hers = server().codeSentTo(efua.phone)
      const crowd = Array.from({ length: 5 }, newAddress)
      await statuses(
        crowd.flatMap((address) =>
          Array.from({ length: 5 }, () => confirm(efua.phone, wrongOf(hers), address)),
        ),
      )
      expect((await confirm(efua.phone, hers, newAddress())).status).toBe(400)
    })

    test('a wrong reset code costs no password hash, for a known number or an unknown one', async () => {
      const ama = await server().sender()
      await server().ask('requestReset', { body: { phone_number: ama.phone } })
      const hash = vi.spyOn(server().ports.passwords, 'hash')
      for (const phone_number of [ama.phone, server().newPhone()]) {
        const body = { phone_number, code: 'nope', new_password: 'another password' }
        const all = await times(20, () => server().raw('POST', '/password/reset', { body }))
        expect(count(all, 400)).toBe(20)
      }
      expect(hash).not.toHaveBeenCalled()
      hash.mockRestore()
    })
  },
  {
    options: {
      ...testOptions,
      limits: limitsWith({
        signups: 10,
        guestRequests: 30,
        resetRequests: 10,
        uploads: 1_000_000,
        priceGuides: 3,
      }),
    },
  },
)

describe('the daily SMS budget', () => {
  let server: TestServer
  afterEach(() => server.close())

  /** Every call that may send an SMS, with a caller who may make it. */
  async function senders() {
    const [ama, efua] = [await server.sender(), await server.signUp('sender')]
    const by =
      (method: string, path: string, phone = server.newPhone, token?: string) =>
      () => {
        const body = { phone_number: phone() }
        return server.raw(method, path, { body, token, address: newAddress() })
      }
    return {
      signup: () => signUp(server, newAddress()),
      driver: () =>
        signUp(server, newAddress(), {
          role: 'driver',
          idType: 'ghana_card',
          idNumber: idNumberOf(server.newPhone()),
          idPhoto: photo,
        }),
      changePhone: by('PATCH', '/users/me/phone', undefined, ama.token),
      resetKnown: by('POST', '/password/request-reset', () => ama.phone),
      resetUnknown: by('POST', '/password/request-reset'),
      resendKnown: by('POST', '/verify/resend', () => efua.phone),
      resendOwn: by('POST', '/verify/resend', () => efua.phone, efua.token),
      resendUnknown: by('POST', '/verify/resend'),
    }
  }

  test('R63: only sent SMS count; beyond the budget every call gets 429 with Retry-After', async () => {
    server = await startTestServer(undefined, { options: { ...testOptions, smsDaily: 10 } })
    const all = await senders()
    for (let times = 0; times < 6; times++) await all.resetUnknown()
    while (server.sms.length < 10) expect((await all.signup()).status).toBe(201)
    for (const [name, ask] of Object.entries(all)) {
      const answer = await ask()
      expect([name, answer.status]).toEqual([name, 429])
      const wait = Number(answer.headers.get('retry-after'))
      const left = 24 * hour - (server.clock.now() % (24 * hour))
      expect(Math.abs(wait * 1000 - left)).toBeLessThan(30_000)
    }
    expect(server.sms).toHaveLength(10)
    server.clock.advance(24 * hour)
    for (const ask of Object.values(all)) expect((await ask()).ok).toBe(true)
  })

  test('R63: many calls at once, at two servers, do not exceed the budget', async () => {
    server = await startTestServer()
    const people: Person[] = []
    for (let n = 0; n < 12; n++) people.push(await server.signUp('sender'))
    const options = { ...testOptions, smsDaily: people.length + 5 }
    const others = [
      await startTestServer(server.database, { options }),
      await startTestServer(server.database, { options }),
    ]
    const all = await statuses(
      people.map(({ phone: phone_number }, n) =>
        present(others[n % 2]).raw('POST', '/verify/resend', {
          // A different address for each call: calls from one address are counted one after another.
          address: newAddress(),
          body: { phone_number },
        }),
      ),
    )
    expect([count(all, 200), count(all, 429)]).toEqual([5, 7])
    expect(others.flatMap(({ sms }) => sms)).toHaveLength(5)
    for (const other of others) await other.close()
  })
})

describe('password hashing', () => {
  test('for 150 simultaneous resets and sign-ups does not block a login', async () => {
    const passwords = argonPasswords(2)
    const kept = await passwords.hash('the right one')
    const flood = Array.from({ length: 150 }, () => passwords.hash('x'))
    const outcomes = Promise.allSettled(flood)
    const logins = await Promise.all(
      Array.from({ length: 20 }, () => passwords.verify(kept, 'the right one')),
    )
    expect(logins).toEqual(Array(20).fill(true))
    const refused = (await outcomes).filter(({ status }) => status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
  })

  test('R56: verifying a password for an unknown account, or against what is no hash, returns false', async () => {
    const passwords = argonPasswords(1)
    for (const stored of [undefined, '', 'none', '$2b$10$of.another.kind'])
      expect(await passwords.verify(stored, 'nobody has this password')).toBe(false)
  })
})
