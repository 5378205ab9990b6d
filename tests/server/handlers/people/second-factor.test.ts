import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { codeOf, stepAt } from '#server/rules/accounts/totp.ts'
import { present } from '../../../helpers/present.ts'
import { appCode } from '../../../helpers/server/authenticator.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()
const password = 'a long password of theirs'
const refused = (reason: string) => expect.objectContaining({ reason })
let count = 0

/** A colleague with their token. */
async function join() {
  const body = { email: `efua${++count}@soma.test`, role: 'support' as const }
  const { value } = await server.ask('inviteColleague', { token: admin.token, body })
  const id = new URL(present(value).link).hash.slice(1)
  const accepted = { name: 'Efua Mensah', password }
  return present((await server.ask('acceptInvitation', { id, body: accepted })).value)
}
const login = (email: string, code?: string, typed = password) =>
  server.ask('login', { body: { email, password: typed, ...(code ? { code } : {}) } })

/** Its code now, or so many steps of 30 seconds later. */
const appWith =
  (secret: string) =>
  (steps = 0) =>
    appCode(secret, server.clock.now(), steps)
const turnOff = (token: string, body: BodyOf<'endSecondFactor'>) =>
  server.ask('endSecondFactor', { token, body })

const setUp = (token: string, typed = password) =>
  server.ask('startSecondFactor', { token, body: { password: typed } })

/** A colleague whose second step is on. */
async function withSecondStep() {
  const { user, token } = await join()
  const { secret } = present((await setUp(token)).value)
  const app = appWith(secret)
  const { codes } = present(
    (await server.ask('confirmSecondFactor', { token, body: { code: app() } })).value,
  )
  server.clock.advance(60_000)
  return { user, token, secret, app, codes }
}

/** RFC 6238, appendix B, of SHA-1; the last six of its eight digits. */
test.each([
  [59, '287082'],
  [1111111109, '081804'],
  [1111111111, '050471'],
  [1234567890, '005924'],
  [2000000000, '279037'],
  [20000000000, '353130'],
])('R213: at second %d the code is %s', (second, code) => {
  const secret = new TextEncoder().encode('12345678901234567890')
  expect(codeOf(secret, stepAt(second * 1000))).toBe(code)
})

describe('R213: the second step of a login', () => {
  test('is off until a code of it was given, and then asked for after the right password alone', async () => {
    const { user, token } = await join()
    await expect(setUp(token, 'not this one')).rejects.toEqual(refused('wrong-password'))
    const { secret, link } = present((await setUp(token)).value)
    expect(link).toBe(
      `otpauth://totp/Soma:${encodeURIComponent(user.email)}?secret=${secret}&issuer=Soma`,
    )
    const app = appWith(secret)
    const confirm = (code: string) => server.ask('confirmSecondFactor', { token, body: { code } })
    await expect(confirm('12345')).rejects.toEqual(refused('second-factor'))
    expect((await login(user.email)).status).toBe(200)
    const { codes } = present((await confirm(app())).value)
    expect(new Set(codes).size).toBe(10)
    expect((await server.ask('me', { token })).value?.user.secondFactor).toBe(true)
    await expect(login(user.email)).rejects.toEqual(refused('second-factor'))
    await expect(login(user.email, undefined, 'not this one')).rejects.toEqual(
      refused('wrong-login'),
    )
    await expect(setUp(token)).rejects.toEqual(refused('wrong-status'))
    const { user: stored } = await server.repo.read(async ({ users }) => ({
      user: await users.byEmail(user.email),
    }))
    const kept = JSON.stringify([stored, server.logged])
    for (const shown of [secret, ...codes]) expect(kept).not.toContain(shown)
  })

  test('takes a code once, of the step before or after too, and of two logins at once one', async () => {
    const { user, app } = await withSecondStep()
    const both = await Promise.allSettled([login(user.email, app()), login(user.email, app())])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(login(user.email, app(-1))).rejects.toEqual(refused('second-factor'))
    await expect(login(user.email, app(2))).rejects.toEqual(refused('second-factor'))
    const [one, two] = [app(1).slice(0, 3), app(1).slice(3)]
    expect((await login(user.email, `${one} ${two}`)).value?.user.ID).toBe(user.ID)
  })

  test('takes each recovery code once, in any spelling', async () => {
    const { user, codes } = await withSecondStep()
    const code = present(codes[3])
    expect((await login(user.email, code.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    await expect(login(user.email, code)).rejects.toEqual(refused('second-factor'))
    expect((await login(user.email, codes[4])).status).toBe(200)
  })

  test('R61: a wrong code counts as a failed login, and stands in the audit log', async () => {
    const { user, app } = await withSecondStep()
    for (let n = 0; n < 10; n++)
      await expect(login(user.email, '000000')).rejects.toEqual(refused('second-factor'))
    await expect(login(user.email, app())).rejects.toEqual(expect.objectContaining({ status: 429 }))
    const { value } = await server.ask('adminAudit', { token: admin.token })
    expect(value?.entries[0]).toMatchObject({ Action: 'failedLogin', Actor: user.email })
    server.clock.advance(5 * 60 * 60 * 1000)
    expect((await login(user.email, app())).status).toBe(200)
  })
})

test('R213: wrong codes from many addresses end after 20 in an hour, and wait', async () => {
  const { user, app } = await withSecondStep()
  const from = async (address: string, code?: string) => {
    const body = { email: user.email, password, ...(code ? { code } : {}) }
    return (await server.raw('POST', '/login', { body, address })).status
  }
  const guesses = Array.from({ length: 25 }, (_, n) => from(`10.9.0.${n}`, '000000'))
  const all = await Promise.all(guesses)
  expect([403, 429].map((each) => all.filter((status) => status === each).length)).toEqual([20, 5])
  expect(await from('10.9.1.1', app())).toBe(429)
  // Asking for a code is no guess, and takes no place of another login.
  for (let n = 0; n < 12; n++) expect(await from('10.9.1.1')).toBe(403)
  server.clock.advance(61 * 60_000)
  expect(await from('10.9.1.1', app())).toBe(200)
})

describe('R214: the second step ends', () => {
  test('with the password and a code of its owner', async () => {
    const { user, token, app } = await withSecondStep()
    const wrong = { password: 'not this one', code: app() }
    await expect(turnOff(token, wrong)).rejects.toEqual(refused('wrong-password'))
    await expect(turnOff(token, { password, code: '000000' })).rejects.toEqual(
      refused('second-factor'),
    )
    expect((await turnOff(token, { password, code: app() })).status).toBe(200)
    expect((await login(user.email)).value?.user.secondFactor).toBeUndefined()
  })

  test('by another admin, never by oneself or support', async () => {
    const { user, token } = await withSecondStep()
    const by = (of: string, id: string) => server.ask('removeSecondFactor', { token: of, id })
    await expect(by(token, user.ID)).rejects.toEqual(refused('support'))
    await expect(by(admin.token, admin.user.ID)).rejects.toEqual(refused('yourself'))
    await expect(by(admin.token, v7())).rejects.toEqual(refused('not-found'))
    const { value } = await server.ask('adminColleagues', { token: admin.token })
    expect(value?.colleagues.find(({ ID }) => ID === user.ID)?.secondFactor).toBe(true)
    await by(admin.token, user.ID)
    expect((await login(user.email)).status).toBe(200)
  })
})
