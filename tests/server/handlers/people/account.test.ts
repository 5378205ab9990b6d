import { expect, test } from 'vitest'
import { argonPasswords } from '#server/node/passwords.ts'
import { holdsCode } from '../../../helpers/holds-code.ts'
import {
  idNumberOf,
  type Person,
  photo,
  present,
  usesPostgres,
} from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture({ passwords: argonPasswords(2) })

const refused = (reason: string) => expect.objectContaining({ reason })
const minutes = 60_000

test('R1, R9: a sender signs up, verifies their phone with the SMS code, and is logged in', async () => {
  const ama = await server.signUp('sender', { email: 'Ama@Example.com' })
  expect(ama.user).toMatchObject({ role: 'sender', Verified: false, phone_number: ama.phone })
  expect(ama.user).not.toHaveProperty('driverStatus')
  await expect(server.delivery(ama)).rejects.toMatchObject({ status: 403, reason: 'unverified' })
  await server.verify(ama)
  const login = await server.ask('login', {
    body: { email: 'aMa@example.COM', password: ama.password },
  })
  expect(login.value).toMatchObject({ role: 'sender', user: { ID: ama.user.ID, Verified: true } })
  const me = await server.ask('me', { token: login.value?.token })
  expect(me.value).toEqual({ user: login.value?.user, role: 'sender' })
})

test('R4: a new driver is pending, and an admin sees their application', async () => {
  const yaw = await server.verify(await server.signUp('driver', { name: 'Yaw' }))
  const status = async () => (await server.ask('driverStatus', { token: yaw.token })).value?.status
  expect(await status()).toBe('pending')
  await expect(server.ask('availableDeliveries', { token: yaw.token })).rejects.toMatchObject({
    status: 403,
    reason: 'driver-not-approved',
  })
  const admin = await server.admin()
  const list = await server.ask('adminDrivers', {
    token: admin.token,
    query: { status: 'pending' },
  })
  expect(list.value?.drivers).toContainEqual({
    ID: yaw.user.ID,
    Status: 'pending',
    User: { Name: 'Yaw', Email: yaw.email, Phone: yaw.phone },
    CreatedAt: expect.any(String),
    IDType: 'ghana_card',
    IDNumber: idNumberOf(yaw.phone),
    IDPhoto: photo,
  })
  await server.ask('reviewDriver', {
    token: admin.token,
    id: yaw.user.ID,
    body: { status: 'approved' },
  })
  expect(await status()).toBe('approved')
})

test('R6: a driver without an ID, or with a photo of another origin, is not signed up', async () => {
  const body = {
    name: 'K',
    password: 'long enough',
    role: 'driver' as const,
    email: 'k@example.com',
  }
  const sign = (over: object) =>
    server.ask('signup', { body: { ...body, phone_number: server.newPhone(), ...over } })
  await expect(sign({})).rejects.toThrow('Please fill out all ID verification fields.')
  const driverFields = { idType: 'ghana_card', idNumber: 'GHA-123456789-0', idPhoto: photo }
  await expect(sign({ ...driverFields, idNumber: 'GHA-1' })).rejects.toThrow(
    'Format must be GHA-123456789-0.',
  )
  await expect(sign({ ...driverFields, idType: 'passport', idNumber: 'abc' })).rejects.toThrow(
    'Format must be A1234567 or AB123456.',
  )
  await expect(sign({ ...driverFields, idPhoto: 'https://evil.test/x.png' })).rejects.toMatchObject(
    {
      status: 400,
      reason: 'id-photo-not-hosted',
    },
  )
  await expect(sign({ role: 'admin' })).rejects.toThrow('Role must be sender or driver.')
  // The refused sign-ups left no row.
  await sign(driverFields)
})

test('R7: one e-mail has one account, without regard to case', async () => {
  await server.signUp('sender', { email: 'one@example.com' })
  await expect(server.signUp('sender', { email: 'ONE@example.com' })).rejects.toMatchObject({
    status: 409,
    reason: 'email-taken',
    message: 'User with this email already exists.',
  })
})

test('R62: an SMS code works once, for ten minutes, and ends after five wrong tries', async () => {
  const confirm = (person: Person, code: string) =>
    server.ask('confirmPhone', { body: { phone_number: person.phone, code } })
  const no = refused('wrong-sms-code')

  const once = await server.signUp('sender')
  const used = server.codeSentTo(once.phone)
  await confirm(once, used)
  await expect(confirm(once, used)).rejects.toEqual(no)

  const late = await server.signUp('sender')
  server.clock.advance(10 * minutes + 1)
  await expect(confirm(late, server.codeSentTo(late.phone))).rejects.toEqual(no)

  const guessed = await server.signUp('sender')
  const right = server.codeSentTo(guessed.phone)
  const wrong = right === '000000' ? '000001' : '000000'
  for (let tries = 0; tries < 5; tries++) await expect(confirm(guessed, wrong)).rejects.toEqual(no)
  await expect(confirm(guessed, right)).rejects.toEqual(no)
  await server.ask('resendCode', { body: { phone_number: guessed.phone } })
  await confirm(guessed, server.codeSentTo(guessed.phone))
})

test('R63: three SMS of sign-up and verification to one number in 15 minutes', async () => {
  const { phone, token } = await server.signUp('sender')
  const body = { phone_number: phone }
  const sent = () => server.sms.filter(({ to }) => to === phone).length
  const resend = (token?: string) => server.raw('POST', '/verify/resend', { body, token })
  expect([(await resend()).status, (await resend(token)).status]).toEqual([200, 200])
  // Its owner is told; to everybody else the number looks like any other (R56).
  const refusal = await resend(token)
  expect(refusal.status).toBe(429)
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(0)
  expect([(await resend()).status, sent()]).toEqual([200, 3])
  await expect(
    server.signUp('sender', { phone_number: phone, email: 'again@example.com' }),
  ).rejects.toMatchObject({ status: 429 })
  server.clock.advance(15 * minutes)
  expect([(await resend(token)).status, sent()]).toEqual([200, 4])
})

test('R11: a password reset by SMS ends every session', async () => {
  const ama = await server.sender()
  const body = { phone_number: `233${ama.phone.slice(1)}` }
  await server.ask('requestReset', { body })
  const code = server.codeSentTo(ama.phone)
  const reset = (code: string) =>
    server.ask('resetPassword', { body: { ...body, code, new_password: 'another password' } })
  await expect(reset('nope')).rejects.toEqual(refused('wrong-sms-code'))
  await reset(code)
  await expect(server.ask('me', { token: ama.token })).rejects.toMatchObject({ status: 401 })
  const login = (password: string) => server.ask('login', { body: { email: ama.email, password } })
  await expect(login(ama.password)).rejects.toEqual(refused('wrong-login'))
  await login('another password')
  await expect(reset(code)).rejects.toEqual(refused('wrong-sms-code'))
})

test('R56: no response shows whether a number or e-mail has an account', async () => {
  const ama = await server.sender()
  const unverified = await server.signUp('sender')
  const said = async (path: string, body: object) => {
    const answer = await server.raw('POST', path, { body })
    return [answer.status, await answer.text()]
  }
  for (const path of ['/password/request-reset', '/verify/resend']) {
    const unknown = await said(path, { phone_number: server.newPhone() })
    expect(await said(path, { phone_number: ama.phone })).toEqual(unknown)
    expect(await said(path, { phone_number: unverified.phone })).toEqual(unknown)
  }
  const password = 'not the password'
  expect(await said('/login', { email: ama.email, password })).toEqual(
    await said('/login', { email: 'nobody@example.com', password }),
  )
  const code = { code: '123456' }
  expect(await said('/verify/confirm', { phone_number: ama.phone, ...code })).toEqual(
    await said('/verify/confirm', { phone_number: server.newPhone(), ...code }),
  )
})

test('R11: an unverified number resets no password', async () => {
  const victim = await server.signUp('sender')
  const before = server.sms.length
  await server.ask('requestReset', { body: { phone_number: victim.phone } })
  expect(server.sms.length).toBe(before)
})

test('R10: a new number counts once it is confirmed, and then the other party of an active delivery sees it', async () => {
  const [ama, yaw] = [await server.sender(), await server.driver()]
  const made = await server.delivery(ama)
  await server.drive(made, yaw, 'Accepted')
  const phone_number = server.newPhone()
  const me = async () => (await server.ask('me', { token: ama.token })).value?.user
  const seen = async () =>
    (await server.ask('getDelivery', { token: yaw.token, id: made.ID })).value?.delivery
  await server.ask('changePhone', { token: ama.token, body: { phone_number } })
  const pending = { phone_number: ama.phone, Verified: true, pendingPhone: phone_number }
  expect(await me()).toMatchObject(pending)
  expect(await seen()).toMatchObject({ sender: { phone: ama.phone }, senderPhone: ama.phone })

  await server.verify({ ...ama, phone: phone_number })
  expect(await me()).toMatchObject({ phone_number, Verified: true })
  expect(await me()).not.toHaveProperty('pendingPhone')
  expect(await seen()).toMatchObject({
    sender: { phone: phone_number },
    senderPhone: phone_number,
  })

  const another = server.newPhone()
  await server.ask('changePhone', { token: yaw.token, body: { phone_number: another } })
  const found = async () =>
    (await server.ask('getDelivery', { token: ama.token, id: made.ID })).value?.delivery
  expect((await found())?.driver?.phone).toBe(yaw.phone)
  // Until then the old number counts.
  const picked = { status: 'Picked Up' as const }
  await server.ask('changeStatus', { token: yaw.token, id: made.ID, body: picked })
  await server.verify({ ...yaw, phone: another })
  expect((await found())?.driver?.phone).toBe(another)
})

test('R12: a logout ends its own token and no other', async () => {
  const ama = await server.sender()
  const again = await server.ask('login', { body: { email: ama.email, password: ama.password } })
  const answer = await server.raw('POST', '/logout', { token: ama.token })
  expect(answer.headers.get('clear-site-data')).toBe('"cache"')
  await expect(server.ask('me', { token: ama.token })).rejects.toMatchObject({ status: 401 })
  await server.ask('me', { token: present(again.value).token })
})

test.runIf(usesPostgres)(
  'no password, code or token is logged or stored in plain text',
  async () => {
    const ama = await server.sender()
    const made = await server.delivery(ama)
    const { rows } = await server.pool().query<{ all: string }>(
      `select coalesce(string_agg(t::text, ' '), '') as all from
      (select u::text as t from users u union all select s::text from sessions s
       union all select c::text from codes c union all select r::text from requests r) x`,
    )
    const kept = `${rows[0]?.all} ${server.logged.join(' ')}`
    for (const secret of [ama.password, ama.token, server.codeSentTo(ama.phone)])
      expect(kept).not.toContain(secret)
    expect(holdsCode(server.logged.join(' '), `${made.deliveryCode}`)).toBe(false)
  },
)
