import { expect, test } from 'vitest'
import type { BodyOf } from '#contract/queries.ts'
import { type Person, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const refused = (reason: string) => expect.objectContaining({ reason })
const newPassword = 'a better password'

overIndexedDb((server) => {
  const change = (person: Pick<Person, 'token'>, body: BodyOf<'changeProfile'>) =>
    server().ask('changeProfile', { token: person.token, body })
  const login = async (email: string, password: string) =>
    present((await server().ask('login', { body: { email, password } })).value)
  const status = async ({ token }: Pick<Person, 'token'>) =>
    (await server().raw('GET', '/users/me', { token })).status

  test('R144: a changed name is read by the other party of an active delivery, and part of it stays', async () => {
    const [ama, yaw] = [
      await server().sender({ name: 'Ama Owusu Mensah' }),
      await server().driver(),
    ]
    const { ID: id } = await server().delivery(ama)
    await server().ask('acceptDelivery', { token: yaw.token, id })
    expect((await change(ama, { firstName: 'Akua' })).value?.user.name).toBe('Akua Owusu Mensah')
    await change(ama, { lastName: ' Boateng ' })
    const seen = await server().ask('getDelivery', { token: yaw.token, id })
    expect(seen.value?.delivery.sender?.name).toBe('Akua Boateng')
    expect((await change(ama, { lastName: '' })).value?.user.name).toBe('Akua')
  })

  test('R144, R152: a name, e-mail or password is refused as at a sign-up', async () => {
    const ama = await server().sender({ name: 'Ama Mensah' })
    const old = ama.password
    for (const wrong of [
      {},
      { firstName: ' ' },
      { firstName: 'Soma', lastName: 'Support' },
      { firstName: 'n'.repeat(150), lastName: 'm'.repeat(100) },
      { email: 'nobody' },
      { email: 'a\u202eb@example.com' },
      { password: { old, new: 'short' } },
      { password: { old, new: 'password1' } },
      { password: { old, new: ama.email } },
      { firstName: 'Akosuaamoah', lastName: '', password: { old, new: 'akosuaamoah' } },
    ])
      await expect(change(ama, wrong), JSON.stringify(wrong)).rejects.toMatchObject({ status: 400 })
    expect((await login(ama.email, old)).user.name).toBe('Ama Mensah')
  })

  test('R7, R144: a changed e-mail logs in from then on, and that of another account is refused', async () => {
    const [ama, efua] = [await server().sender(), await server().sender()]
    await expect(change(ama, { email: efua.email.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      reason: 'email-taken',
    })
    const email = `New.${ama.email}`
    expect((await change(ama, { email })).value?.user.email).toBe(email)
    expect((await login(email.toLowerCase(), ama.password)).user.ID).toBe(ama.user.ID)
    await expect(login(ama.email, ama.password)).rejects.toEqual(refused('wrong-login'))
    // The case alone, and then the e-mail that is free again.
    await change(ama, { email: email.toUpperCase() })
    await change(efua, { email: ama.email })
  })

  test('R12, R144: a new password needs the old one, and ends every other session', async () => {
    const ama = await server().sender()
    const other = await login(ama.email, ama.password)
    await expect(
      change(ama, { firstName: 'Akua', password: { old: 'not the one', new: newPassword } }),
    ).rejects.toMatchObject({ status: 403, reason: 'wrong-password' })
    expect(await status(other)).toBe(200)
    await change(ama, { password: { old: ama.password, new: newPassword } })
    expect([await status(ama), await status(other)]).toEqual([200, 401])
    await expect(login(ama.email, ama.password)).rejects.toEqual(refused('wrong-login'))
    expect((await login(ama.email, newPassword)).user.name).toBe(ama.user.name)
  })

  test('R144: a changed password that is sent again after a lost response succeeds', async () => {
    const ama = await server().sender()
    const password = { old: ama.password, new: newPassword }
    await change(ama, { password })
    await change(ama, { password })
    await login(ama.email, newPassword)
    const third = { old: ama.password, new: `${newPassword} third` }
    await expect(change(ama, { password: third })).rejects.toEqual(refused('wrong-password'))
  })

  test('R61, R144: wrong old passwords count as failed logins of the account', async () => {
    const ama = await server().sender()
    const guess = { password: { old: 'not the one', new: newPassword } }
    for (let tries = 0; tries < 10; tries++)
      await expect(change(ama, guess)).rejects.toEqual(refused('wrong-password'))
    const right = { password: { old: ama.password, new: newPassword } }
    await expect(change(ama, right)).rejects.toMatchObject({ status: 429 })
    await expect(login(ama.email, ama.password)).rejects.toMatchObject({ status: 429 })
    await change(ama, { firstName: 'Akua' })
  })

  test('R71, R144: nothing of a changed password is stored under its request key', async () => {
    const ama = await server().sender()
    const ask = (old: string) =>
      server().raw('PATCH', '/users/me', {
        token: ama.token,
        key: '019a0000-0000-7000-8000-0000000000aa',
        body: { password: { old, new: newPassword } },
      })
    // A refusal is not repeated, nor is another body refused.
    expect((await ask('not the one')).status).toBe(403)
    expect((await ask(ama.password)).status).toBe(200)
    expect((await ask(newPassword)).status).toBe(200)
  })
})
