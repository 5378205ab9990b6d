import { describe, expect, test } from 'vitest'
import { Refused } from '#contract/wire-errors.ts'
import { ours } from '../../helpers/device/answers.ts'
import { createClock, type createPhone, type Phone } from '../../helpers/device/phone.ts'
import { serverOfFile } from '../server-fixture.ts'

const { server, network, newPhone, startedPhone, phoneOf } = serverOfFile()

async function loggedIn(options: Parameters<typeof createPhone>[1] = {}) {
  const person = await server().sender()
  const phone = await phoneOf(person, options)
  const token = (await phone.db.sessions.get('current'))?.token ?? ''
  return { phone, person, token }
}

/** Whether the server still takes a token. */
const isAlive = (token: string) =>
  server()
    .ask('me', { token })
    .then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refused && error.status === 401) return false
        throw error
      },
    )

const waiting = ({ db }: Phone) => db.revocations.count()

describe('S39: a logout reaches the server', () => {
  test('at once where there is a network, and no token is left', async () => {
    const { phone, token } = await loggedIn()
    await phone.session.logout('keep')
    expect(await isAlive(token)).toBe(false)
    expect(await waiting(phone)).toBe(0)
    expect(phone.storage.get('token')).toBeUndefined()
    expect(phone.storage.get('user')).toBeUndefined()
  })

  test('after a restart, and under another person, when there was none', async () => {
    const { phone, token } = await loggedIn()
    network().cut()
    await phone.session.logout('keep')
    expect(phone.storage.get('token')).toBeUndefined()
    expect(await waiting(phone)).toBe(1)
    expect(await isAlive(token)).toBe(true)
    await phone.kill()
    network().restore()
    const next = newPhone({ dbName: phone.db.name })
    const other = await server().sender()
    await next.start()
    await next.session.login(other.email, other.password)
    await expect.poll(() => waiting(next)).toBe(0)
    expect(await isAlive(token)).toBe(false)
    const session = await next.db.sessions.get('current')
    expect(session?.account).toBe(other.user.ID)
    expect(await isAlive(session?.token ?? '')).toBe(true)
  })

  test.each([
    ['a server failure', new Response('{"error":"no"}', { status: 500 })],
    ['a refusal that is not about the token', new Response('{"error":"no"}', { status: 403 })],
    ['a page that is not the server’s', new Response('<html>', { status: 200 })],
  ])('again after %s, later each time', async (_, answer) => {
    const clock = createClock()
    const { phone, token } = await loggedIn({ clock })
    network().setConditions((request) =>
      request.url.endsWith('/logout') ? answer.clone() : 'fine',
    )
    await phone.session.logout('keep')
    const first = (await phone.db.revocations.toArray())[0]
    expect(first).toMatchObject({ attempts: 1 })
    expect(first?.nextAt).toBeGreaterThan(clock.now())
    await phone.engine.revoke()
    expect((await phone.db.revocations.toArray())[0]).toMatchObject({ attempts: 1 })
    clock.pass(600_000)
    await phone.engine.revoke()
    expect((await phone.db.revocations.toArray())[0]).toMatchObject({ attempts: 2 })
    network().restore()
    clock.pass(600_000)
    await phone.engine.revoke()
    expect(await waiting(phone)).toBe(0)
    expect(await isAlive(token)).toBe(false)
  })

  test('not before the time the server names', async () => {
    const clock = createClock()
    const { phone } = await loggedIn({ clock })
    const patience = ours({ error: 'wait' }, 429, { 'retry-after': '60' })
    network().setConditions((request) => (request.url.endsWith('/logout') ? patience : 'fine'))
    await phone.session.logout('keep')
    network().restore()
    await phone.engine.revoke(true)
    expect(await waiting(phone)).toBe(1)
    clock.pass(61_000)
    await phone.engine.revoke(true)
    expect(await waiting(phone)).toBe(0)
  })

  test('a token the server no longer knows is not tried again', async () => {
    const { phone } = await loggedIn()
    network().cut()
    await phone.session.logout('keep')
    const [kept] = await phone.db.revocations.toArray()
    await server().ask('logout', { token: kept?.token })
    network().restore()
    await phone.engine.revoke(true)
    expect(await waiting(phone)).toBe(0)
  })

  test('the token goes with POST /logout and with nothing else, and nothing waits for it', async () => {
    const { phone, token } = await loggedIn()
    network().cut()
    await phone.session.logout('keep')
    network().restore()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    network().hold((request) => (request.url.endsWith('/logout') ? held : undefined))
    network().passed.length = 0
    const other = await server().sender()
    await phone.session.login(other.email, other.password)
    await phone.settle()
    // Lists were pulled while the revocation was still on its way.
    expect(network().passed.map(({ path }) => path)).toContain('/api/users/me')
    expect(await waiting(phone)).toBe(1)
    answer()
    await expect.poll(() => waiting(phone)).toBe(0)
    const withToken = network().passed.filter((each) => each.token === `Bearer ${token}`)
    expect(withToken.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /api/logout'])
  })

  test('a login that replaces another revokes the one before', async () => {
    const { phone, token } = await loggedIn()
    const other = await server().sender()
    await phone.session.login(other.email, other.password)
    await expect.poll(() => isAlive(token)).toBe(false)
  })

  test('the token of a sign-up is revoked once the login has followed', async () => {
    const phone = await startedPhone()
    const phoneNumber = server().newPhone()
    const email = `${phoneNumber}@example.com`
    const password = 'correct horse battery'
    await phone.session.signup({
      name: 'Akua',
      email,
      password,
      phone_number: phoneNumber,
      role: 'sender',
    })
    const asked = () => network().passed.filter(({ path }) => path.startsWith('/api/verify'))
    await phone.session.resendCode(phoneNumber)
    await phone.session.confirmPhone(phoneNumber, server().codeSentTo(phoneNumber))
    const [resent, confirmed] = asked()
    expect(resent?.token).toMatch(/^Bearer ./)
    expect(confirmed?.token).toBe(resent?.token)
    const signUpToken = resent?.token?.slice('Bearer '.length) ?? ''
    await expect.poll(() => isAlive(signUpToken)).toBe(false)
    expect(await isAlive((await phone.db.sessions.get('current'))?.token ?? '')).toBe(true)
  })
})
