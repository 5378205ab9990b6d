import { expect, test } from 'vitest'
import {
  type Person,
  present,
  startTestServer,
  type TestServer,
} from '../../helpers/server/server.ts'
import { overBothAdapters } from '../both-adapters.ts'

const minute = 60_000
const hour = 60 * minute

let addresses = 0
/** An address that no call has come from yet. */
const newAddress = () => `10.0.${addresses >> 8}.${addresses++ & 255}`

const statuses = async (answers: Promise<Response>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)
const count = (all: number[], status: number) => all.filter((each) => each === status).length

/** A number of ten digits as people type it, paste it from their contacts, or as keyboards of other scripts have it. */
function spellingsOf(phone: string): string[] {
  const rest = phone.slice(1)
  const inScript = (zero: number) =>
    phone.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  return [
    phone,
    `+233 ${rest}`,
    `233${rest}`,
    `00233 (0) ${rest}`,
    ` ${phone.slice(0, 3)}-${phone.slice(3, 6)}\u00a0${phone.slice(6)} `,
    `\u202a+233${rest}\u202c`,
    inScript(0x660),
    inScript(0xff10),
  ]
}

overBothAdapters((server) => {
  const login = (email: string, password: string, address: string) =>
    server().raw('POST', '/login', { body: { email, password }, address })
  const times = (n: number, ask: () => Promise<Response>) =>
    statuses(Array.from({ length: n }, ask))

  test('R61: ten wrong passwords for one account from one address; the owner at another address can log in', async () => {
    const ama = await server().sender()
    for (const email of [ama.email, `unknown${server().newPhone()}@example.com`]) {
      const address = newAddress()
      const all = await times(25, () => login(email, 'wrong', address))
      expect([count(all, 401), count(all, 429)]).toEqual([10, 15])
      const refusal = await login(email.toUpperCase(), ama.password, address)
      expect(refusal.status).toBe(429)
      expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await login(ama.email, ama.password, newAddress())).status).toBe(200)
  })

  test('R7, R61: logins by phone and by e-mail count for the same account, and an unknown number like a known one', async () => {
    const ama = await server().sender()
    const spellings = spellingsOf(ama.phone)
    for (const name of spellings)
      expect((await login(name, ama.password, newAddress())).status, name).toBe(200)
    const address = newAddress()
    let tries = 0
    const names = [...spellings, ama.email]
    const all = await times(25, () => login(`${names[tries++ % names.length]}`, 'wrong', address))
    expect([count(all, 401), count(all, 429)]).toEqual([10, 15])
    expect((await login(ama.phone, ama.password, address)).status).toBe(429)
    const [unknown, elsewhere] = [server().newPhone(), newAddress()]
    const other = await times(25, () =>
      login(tries++ % 2 ? unknown : `+233${unknown.slice(1)}`, 'wrong', elsewhere),
    )
    expect([count(other, 401), count(other, 429)]).toEqual([10, 15])
  })

  test('R7: only a confirmed number logs in', async () => {
    const efua = await server().signUp('sender')
    const said = async (name: string) => {
      const answer = await login(name, efua.password, newAddress())
      return [answer.status, await answer.text()]
    }
    const unknown = await said(server().newPhone())
    expect(unknown[0]).toBe(401)
    expect(await said(efua.phone)).toEqual(unknown)
    await server().verify(efua)
    const phone_number = server().newPhone()
    await server().ask('changePhone', { token: efua.token, body: { phone_number } })
    expect(await said(phone_number)).toEqual(unknown)
    expect((await said(efua.phone))[0]).toBe(200)
    // An admin may have no number: nobody logs in by none.
    for (const name of ['', ' ', 'no number', '0']) expect((await said(name))[0], name).toBe(401)
  })

  test('R61: each further round of wrong passwords has a longer pause', async () => {
    const ama = await server().sender()
    const address = newAddress()
    for (const pause of [15, 30, 60]) {
      const all = await times(12, () => login(ama.email, 'wrong', address))
      expect([pause, count(all, 401), count(all, 429)]).toEqual([pause, 10, 2])
      server().clock.advance((pause - 1) * minute)
      expect((await login(ama.email, ama.password, address)).status).toBe(429)
      server().clock.advance(minute + 1_000)
    }
    expect((await login(ama.email, ama.password, address)).status).toBe(200)
    server().clock.advance(25 * hour)
    const all = await times(12, () => login(ama.email, 'wrong', address))
    expect([count(all, 401), count(all, 429)]).toEqual([10, 2])
    server().clock.advance(15 * minute + 1_000)
    expect((await login(ama.email, ama.password, address)).status).toBe(200)
  })

  test('R61: forty wrong passwords from one address, whatever the account', async () => {
    const address = newAddress()
    const ama = await server().sender()
    const all = await statuses(
      Array.from({ length: 60 }, (_, n) => login(`nobody${n}@example.com`, 'wrong', address)),
    )
    expect([count(all, 401), count(all, 429)]).toEqual([40, 20])
    expect((await login(ama.email, ama.password, address)).status).toBe(429)
  })

  test('R61: sixty simultaneous correct logins from one address all succeed, of one account or many', async () => {
    const address = newAddress()
    const people: Person[] = []
    for (let n = 0; n < 8; n++) people.push(await server().signUp('sender'))
    const all = await statuses(
      Array.from({ length: 60 }, (_, n) => {
        // Half of them are logins of one account.
        const { email, password } = present(people[n % 2 ? 0 : n % people.length])
        return login(email, password, address)
      }),
    )
    expect(all).toEqual(Array(60).fill(200))
  })

  test('R61: right passwords of calls that are refused take no place of a login', async () => {
    const ama = await server().sender()
    await server().delivery(ama)
    const address = newAddress()
    const { token, password } = ama
    const refused = await times(10, () =>
      server().raw('DELETE', '/users/me', { token, body: { password }, address }),
    )
    expect(refused).toEqual(Array(10).fill(409))
    expect((await login(ama.email, password, address)).status).toBe(200)
  })

  test('R61: a password reset clears the account’s failed logins from every address', async () => {
    const ama = await server().sender()
    const address = newAddress()
    await times(10, () => login(ama.email, 'wrong', address))
    expect((await login(ama.email, ama.password, address)).status).toBe(429)
    const phone_number = ama.phone
    await server().ask('requestReset', { body: { phone_number } })
    const code = server().codeSentTo(phone_number)
    const body = { phone_number, code, new_password: 'another password' }
    await server().ask('resetPassword', { body })
    expect((await login(ama.email, 'another password', address)).status).toBe(200)
  })
})

test('R61: simultaneous wrong passwords at two servers of one database do not exceed the limit', async () => {
  const one = await startTestServer()
  const two = await startTestServer(one.database)
  const ama = await one.sender()
  const [address, honest] = [newAddress(), newAddress()]
  const login = (server: TestServer, password: string, address: string) =>
    server.raw('POST', '/login', { body: { email: ama.email, password }, address })
  const wrong = await statuses(
    Array.from({ length: 50 }, (_, n) => login(n % 2 ? one : two, 'wrong', address)),
  )
  expect([count(wrong, 401), count(wrong, 429)]).toEqual([10, 40])
  const right = await statuses(
    Array.from({ length: 40 }, (_, n) => login(n % 2 ? one : two, ama.password, honest)),
  )
  expect(count(right, 200)).toBe(40)
  await two.close()
  await one.close()
})

test('an attempt whose server was killed stops counting after a while', async () => {
  const server = await startTestServer()
  const ama = await server.sender()
  const { passwords } = server.ports
  const { verify } = passwords
  passwords.verify = () => new Promise(() => {})
  const login = () =>
    server.raw('POST', '/login', { body: { email: ama.email, password: ama.password } })
  for (let n = 0; n < 10; n++) void login()
  await expect
    .poll(async () => {
      const { rows } = await server.pool().query('select count(*)::int as n from attempts')
      return rows[0]?.n
    })
    .toBeGreaterThanOrEqual(20)
  passwords.verify = verify
  server.clock.advance(61_000)
  expect((await login()).status).toBe(200)
  await server.close()
})
