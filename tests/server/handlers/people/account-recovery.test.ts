import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeMessage, phoneChangeMessage } from '#server/rules/sms/sms-messages.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { adminEmail, type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const hour = 60 * 60 * 1000

const refused = (reason: string) => expect.objectContaining({ reason })

overIndexedDb((server) => {
  const me = async ({ token }: Person) => present((await server().ask('me', { token })).value).user
  const ask = (person: Person, phone_number: string) =>
    server().ask('changePhone', { token: person.token, body: { phone_number } })
  const confirm = (phone_number: string, code: string, token?: string) =>
    server().ask('confirmPhone', { token, body: { phone_number, code } })
  const requestReset = (phone_number: string) =>
    server().raw('POST', '/password/request-reset', { body: { phone_number } })
  const sentTo = (phone: string) => server().sms.filter(({ to }) => to === phone)
  const changed = async (person: Person) => {
    const phone = server().newPhone()
    await ask(person, phone)
    return server().verify({ ...person, phone })
  }

  test('R10: the old number keeps its rights until the change is confirmed and always gets an SMS about it', async () => {
    const ama = await server().sender()
    const before = sentTo(ama.phone).length
    const phone = server().newPhone()
    await ask(ama, phone)
    const [told] = sentTo(ama.phone).slice(before)
    expect(told?.text).toContain(`...${phone.slice(-2)}`)
    expect(told?.text).not.toContain(phone)
    // The old number still resets the password.
    await requestReset(ama.phone)
    expect(sentTo(ama.phone)).toHaveLength(before + 2)
    // No SMS is sent to another number when there was no confirmed one.
    const efua = await server().signUp('sender')
    await ask(efua, server().newPhone())
    expect(sentTo(efua.phone)).toHaveLength(1)
    // The old number gets this SMS however many it has had.
    await requestReset(ama.phone)
    await requestReset(ama.phone)
    const told2 = sentTo(ama.phone).length
    await ask(ama, server().newPhone())
    expect(sentTo(ama.phone)).toHaveLength(told2 + 1)
  })

  test('R63: one account asks for three phone changes in 15 minutes, whatever the numbers', async () => {
    const ama = await server().sender()
    for (let times = 0; times < 3; times++) await ask(ama, server().newPhone())
    await expect(ask(ama, server().newPhone())).rejects.toMatchObject({ status: 429 })
  })

  test('R10: a change to the present number cancels the pending one, whose code no longer works', async () => {
    const ama = await server().sender()
    const phone = server().newPhone()
    await ask(ama, phone)
    const code = server().codeSentTo(phone)
    await ask(ama, ama.phone)
    expect(await me(ama)).not.toHaveProperty('pendingPhone')
    await expect(confirm(phone, code)).rejects.toEqual(refused('wrong-sms-code'))
    expect(await me(ama)).toMatchObject({ phone_number: ama.phone, Verified: true })
  })

  test('R145: a number goes to whoever confirms it last, and its account before keeps its deliveries without it', async () => {
    const efua = await server().sender()
    const { ID: id } = await server().delivery(efua)
    await server().changeStatus(efua, id, 'Cancelled')
    await requestReset(efua.phone)
    const reset = server().codeSentTo(efua.phone)
    const { phone: phone_number } = efua
    const login = (name: string, { password }: Person) =>
      server().ask('login', { body: { email: name, password } })
    // Until it is confirmed, nothing shows to either that the number is known.
    const ama = await server().signUp('sender', { phone_number, email: `new${efua.email}` })
    expect(await me(efua)).toMatchObject({ phone_number, Verified: true })
    await server().verify(ama)
    expect(await me(ama)).toMatchObject({ phone_number, Verified: true })
    expect((await login(phone_number, ama)).value?.user.ID).toBe(ama.user.ID)

    const lost = (await login(efua.email, efua)).value?.user
    expect(lost).toMatchObject({ phone_number: '', Verified: false })
    const sent = await server().ask('senderDeliveries', { token: efua.token })
    expect(sent.value?.deliveries.map(({ ID }) => ID)).toEqual([id])
    await expect(server().delivery(efua)).rejects.toEqual(refused('unverified'))
    const body = { phone_number, code: reset, new_password: 'not yours any more' }
    await expect(server().ask('resetPassword', { body })).rejects.toEqual(refused('wrong-sms-code'))

    const again = await changed(efua)
    await server().delivery(again)
    // As after any other change of a confirmed number (R10).
    const before = sentTo(again.phone).length
    await requestReset(again.phone)
    expect(sentTo(again.phone)).toHaveLength(before)
  })

  test('R145: a number is not taken while its account has a delivery or job that has not ended', async () => {
    const [efua, yaw] = [await server().sender(), await server().driver()]
    const made = await server().delivery(efua)
    await server().drive(made, yaw, 'Accepted')
    const ama = await server().sender()
    for (const { phone } of [efua, yaw]) {
      await ask(ama, phone)
      const code = server().codeSentTo(phone)
      await expect(confirm(phone, code, ama.token)).rejects.toMatchObject({
        status: 409,
        reason: 'phone-taken',
        message: expect.stringContaining('delivery under way'),
      })
      // A wrong code is told nothing of it.
      const wrong = code === '000000' ? '000001' : '000000'
      await expect(confirm(phone, wrong, ama.token)).rejects.toEqual(refused('wrong-sms-code'))
    }
    expect(await me(ama)).toMatchObject({ phone_number: ama.phone, pendingPhone: yaw.phone })
    expect((await me(yaw)).Verified).toBe(true)
    await server().changeStatus(efua, made.ID, 'Cancelled')
    await confirm(yaw.phone, server().codeSentTo(yaw.phone))
    expect([(await me(ama)).phone_number, (await me(yaw)).phone_number]).toEqual([yaw.phone, ''])
  })

  test('R10: a reset code sent to the old number ends when the number changes', async () => {
    const ama = await server().sender()
    await requestReset(ama.phone)
    const code = server().codeSentTo(ama.phone)
    const kept = await changed(ama)
    const body = { phone_number: ama.phone, code, new_password: 'a thief was here' }
    await expect(server().ask('resetPassword', { body })).rejects.toEqual(refused('wrong-sms-code'))
    expect((await me(kept)).phone_number).toBe(kept.phone)
  })

  test('R10: for 72 hours a changed number resets no password, and the response does not show it', async () => {
    const ama = await changed(await server().sender())
    const before = sentTo(ama.phone).length
    const unknown = await (await requestReset(server().newPhone())).text()
    server().clock.advance(hour)
    expect(await (await requestReset(ama.phone)).text()).toBe(unknown)
    server().clock.advance(71 * hour - 60_000)
    await requestReset(ama.phone)
    expect(sentTo(ama.phone)).toHaveLength(before)
    server().clock.advance(120_000)
    await requestReset(ama.phone)
    expect(sentTo(ama.phone)).toHaveLength(before + 1)
    // A first number is not a change.
    const efua = await server().sender()
    await requestReset(efua.phone)
    expect(sentTo(efua.phone)).toHaveLength(2)
  })

  test('with a token only that account’s code is sent and accepted', async () => {
    const phone_number = server().newPhone()
    const first = await server().signUp('sender', { phone_number, email: `a${phone_number}@x.com` })
    const codeOfFirst = server().codeSentTo(phone_number)
    const second = await server().signUp('sender', {
      phone_number,
      email: `b${phone_number}@x.com`,
    })
    const codeOfSecond = server().codeSentTo(phone_number)
    await expect(confirm(phone_number, codeOfSecond, first.token)).rejects.toEqual(
      refused('wrong-sms-code'),
    )
    expect([(await me(first)).Verified, (await me(second)).Verified]).toEqual([false, false])
    await confirm(phone_number, codeOfFirst, first.token)
    expect([(await me(first)).Verified, (await me(second)).Verified]).toEqual([true, false])

    const other = server().newPhone()
    const stranger = await server().signUp('sender', { phone_number: other })
    const sent = sentTo(other).length
    const yaw = await server().sender()
    const resend = (token?: string) =>
      server().ask('resendCode', { token, body: { phone_number: other } })
    await resend(yaw.token)
    expect(sentTo(other)).toHaveLength(sent)
    await resend(stranger.token)
    expect(sentTo(other)).toHaveLength(sent + 1)
  })

  test('R10: a code for a pending number is sent again, with and without a token', async () => {
    const ama = await server().sender()
    const phone = server().newPhone()
    await ask(ama, phone)
    await server().ask('resendCode', { token: ama.token, body: { phone_number: phone } })
    await server().ask('resendCode', { body: { phone_number: phone } })
    expect(sentTo(phone)).toHaveLength(3)
    // An ended token does not block the call.
    await confirm(phone, server().codeSentTo(phone), 'u_dead-dead-dead-dead-dead')
    expect(await me(ama)).toMatchObject({ phone_number: phone, Verified: true })
  })

  test('R11: an admin never resets by SMS; the response is that of an unknown number', async () => {
    const admin = await server().admin()
    expect(admin.user.phone_number).toBe('')
    const phone = server().newPhone()
    await ask(admin, phone)
    await server().verify({ ...admin, phone })
    expect(await me(admin)).toMatchObject({ phone_number: phone, Verified: true })
    server().clock.advance(80 * hour)
    const before = sentTo(phone).length
    const said = await (await requestReset(phone)).text()
    expect(said).toBe(await (await requestReset(server().newPhone())).text())
    expect(sentTo(phone)).toHaveLength(before)
    // Not even by a code that was sent before they became an admin.
    const { repo, ports, clock } = server()
    const hash = ports.secrets.keyed('sms-code', admin.user.ID, 'reset', '123456')
    const expiresAt = new Date(clock.now() + hour).toISOString()
    const code = { userId: admin.user.ID, purpose: 'reset' as const, phone, hash, wrong: 0 }
    await repo.transaction(({ codes }) => codes.put({ ...code, expiresAt }))
    const body = { phone_number: phone, code: '123456', new_password: 'mine all mine' }
    await expect(server().ask('resetPassword', { body })).rejects.toEqual(refused('wrong-sms-code'))
    const { email, password } = admin
    expect(email).toBe(adminEmail)
    await server().ask('login', { body: { email, password } })
  })

  test('R11: a login that runs while the password is reset opens no session', async () => {
    const ama = await server().sender()
    const { passwords } = server().ports
    const { verify } = passwords
    passwords.verify = async (...asked) => {
      const right = await verify(...asked)
      passwords.verify = verify
      await requestReset(ama.phone)
      const code = server().codeSentTo(ama.phone)
      const body = { phone_number: ama.phone, code, new_password: 'another password' }
      await server().ask('resetPassword', { body })
      return right
    }
    const { email, password } = ama
    await expect(server().ask('login', { body: { email, password } })).rejects.toEqual(
      refused('wrong-login'),
    )
  })
})

/** A text that fits one SMS of 160 characters. */
const gsm = /^[A-Za-z0-9 @.,:;?!+_\-*#()/'"&%<>=\n]*$/

test('every SMS fits one message, whatever the e-mail, and its code comes before all other digits', () => {
  const email = fc
    .tuple(
      fc.string({ unit: anyCharacter, minLength: 1, maxLength: 60 }),
      fc.string({ maxLength: 200 }),
    )
    .map(([name, domain]) => `${name}@${domain}`)
  fc.assert(
    fc.property(email, (email) => {
      for (const purpose of ['verify', 'reset'] as const) {
        const about = { to: '0244123456', purpose, code: '012345', email }
        const { text } = codeMessage({ ...about, host: 'soma.example.com' })
        expect(text.length).toBeLessThanOrEqual(160)
        expect(text).toMatch(gsm)
        expect(text.match(/\d{6}/)?.[0]).toBe('012345')
      }
    }),
    { seed: 1 },
  )
  const about = { to: '0', code: '012345', email: 'ama.owusu@example.com' } as const
  const shown = codeMessage({ ...about, purpose: 'verify', host: 'soma.example.com' }).text
  expect(shown).toContain('for the account am....')
  expect(shown).not.toContain('ama')
  // The line by which a phone fills the code in (WebOTP).
  for (const purpose of ['verify', 'reset', 'recover'] as const)
    expect(codeMessage({ ...about, purpose, host: 'soma.example.com' }).text).toMatch(
      /\n@soma\.example\.com #012345$/,
    )
  const told = phoneChangeMessage('0244123456', '0559876589').text
  expect(told).toBe(
    'Soma: somebody asked to change the phone of your account to ...89. If it was not you, log in and change your password.',
  )
  expect(told).toMatch(gsm)
})
