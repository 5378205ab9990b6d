import { v7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { endpoints, type Op } from '#contract/endpoints.ts'
import { seed } from '#server/node/startup/first-rows.ts'
import { present, startTestServer } from '../../../helpers/server/server.ts'
import { serverFixture } from '../../server-fixture.ts'

const server = await serverFixture()
const admin = await server.admin()
const refused = (reason: string) => expect.objectContaining({ reason })
const password = 'a long password of theirs'
let count = 0

/** The secret in a new invitation's link. */
async function invite(role: 'admin' | 'support', email = `yaa${++count}@soma.test`, by = admin) {
  const { value } = await server.ask('inviteColleague', {
    token: by.token,
    key: v7(),
    body: { email, role },
  })
  return present(new URL(present(value).link).hash.slice(1))
}
const accept = async (secret: string, name = 'Yaa Boateng') =>
  present((await server.ask('acceptInvitation', { id: secret, body: { name, password } })).value)
const join = async (role: 'admin' | 'support') => accept(await invite(role))
const colleagues = async () =>
  present((await server.ask('adminColleagues', { token: admin.token })).value)

describe('R209: an invitation', () => {
  test('makes an account of its role, once, and is stored as a hash', async () => {
    const secret = await invite('support', 'Efua@Soma.test')
    expect((await colleagues()).invitations).toMatchObject([
      { email: 'Efua@Soma.test', role: 'support' },
    ])
    const stored = await server.repo.read(({ invitations }) => invitations.list())
    expect(JSON.stringify([stored, server.logged])).not.toContain(secret)
    const { user, token, role } = await accept(secret, 'Efua Mensah')
    expect({ user, role }).toMatchObject({
      user: { name: 'Efua Mensah', email: 'Efua@Soma.test', role: 'support', Verified: true },
      role: 'support',
    })
    expect((await server.ask('me', { token })).value?.role).toBe('support')
    const login = { email: 'efua@soma.test', password }
    expect((await server.ask('login', { body: login })).value?.role).toBe('support')
    expect((await colleagues()).invitations).toEqual([])
    await expect(accept(secret)).rejects.toEqual(refused('invitation'))
  })

  test('of two who accept it at once one gets in', async () => {
    const secret = await invite('admin')
    const both = await Promise.allSettled([accept(secret), accept(secret)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  test('ends after three days, when a newer one replaces it, and with the rights of who made it', async () => {
    const first = await invite('support', 'kojo@soma.test')
    const second = await invite('support', 'kojo@soma.test')
    await expect(accept(first)).rejects.toEqual(refused('invitation'))
    const other = await join('admin')
    const byOther = await invite('admin', 'ama@soma.test', { ...admin, token: other.token })
    await server.ask('changeColleague', {
      token: admin.token,
      id: other.user.ID,
      body: { role: 'support' },
    })
    await expect(accept(byOther)).rejects.toEqual(refused('invitation'))
    server.clock.advance(3 * 24 * 60 * 60 * 1000)
    await expect(accept(second)).rejects.toEqual(refused('invitation'))
    expect((await colleagues()).invitations).toEqual([])
  })

  test('is refused for an e-mail that has an account, and takes no easy password', async () => {
    const { email } = await server.sender()
    await expect(invite('admin', email.toUpperCase())).rejects.toEqual(refused('email-taken'))
    const body = { name: 'Yaa Boateng', password: 'password1' }
    const id = await invite('support')
    await expect(server.ask('acceptInvitation', { id, body })).rejects.toEqual(refused('invalid'))
    expect((await accept(id)).role).toBe('support')
  })
})

/** What support may not do: money, settings, admins and decisions. */
const onlyAdmins = [
  'adminColleagues',
  'adminMoney',
  'adminPayouts',
  'inviteColleague',
  'changeColleague',
  'removeColleague',
  'removeSecondFactor',
  'reviewDriver',
  'resolveDispute',
  'settlePayout',
  'refundDelivery',
  'suspendUser',
  'adminSettings',
  'changeSettings',
  'changeItem',
  'addZone',
  'changeZone',
  'removeZone',
  'addItem',
  'removeItem',
]

const support = await join('support')

describe('R210: support reads and helps', () => {
  const calls = (Object.keys(endpoints) as Op[]).filter((op) =>
    ['admin', 'office'].includes(endpoints[op].access),
  )
  test('every call of the office is one or the other', () => {
    expect(calls.filter((op) => endpoints[op].access === 'admin').sort()).toEqual(
      [...onlyAdmins].sort(),
    )
  })
  test.each(calls)('%s', async (op) => {
    const { method, path } = endpoints[op]
    const about = { token: support.token, ...(method === 'GET' ? {} : { body: {} }) }
    const answer = await server.raw(method, path.replace(/:\w+/, v7()), about)
    if (onlyAdmins.includes(op)) {
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ reason: 'support' })
    } else expect([401, 403]).not.toContain(answer.status)
  })
  test('support sees a delivery as admins do, and cancels it for a caller', async () => {
    const ama = await server.sender()
    const { ID } = await server.delivery(ama)
    const { value } = await server.ask('getDelivery', { token: support.token, id: ID })
    expect(value?.delivery).toMatchObject({ recipientPhone: '0550000001' })
    const set = (id: string, body: { status: 'Approved' | 'Cancelled'; reason: string }) =>
      server.ask('changeStatus', { token: support.token, id, body })
    await set(ID, { status: 'Cancelled', reason: 'The caller asked for it' })
    const { value: entries } = await server.ask('adminAudit', { token: admin.token })
    // R57: the person, not the office.
    expect(entries?.entries[0]).toMatchObject({
      Actor: support.user.email,
      Subject: `${ID}: Cancelled`,
    })
    // Approving moves money.
    const delivered = await server.delivery(ama)
    await server.drive(delivered, await server.driver(), 'Delivered')
    const approval = set(delivered.ID, { status: 'Approved', reason: 'They called' })
    await expect(approval).rejects.toEqual(refused('support'))
  })
})

describe('R212: colleagues', () => {
  test('an admin changes what others are; it counts at once', async () => {
    const { user, token } = await join('support')
    const set = (role: 'admin' | 'support') =>
      server.ask('changeColleague', { token: admin.token, id: user.ID, body: { role } })
    await set('admin')
    expect((await server.ask('adminMoney', { token })).status).toBe(200)
    await set('support')
    await expect(server.ask('adminMoney', { token })).rejects.toEqual(refused('support'))
  })

  test('who is removed has no session and no rights; an invitation can be withdrawn', async () => {
    const { user, token } = await join('admin')
    const secret = await invite('admin')
    const invitation = present((await colleagues()).invitations.at(-1))
    for (const id of [user.ID, invitation.ID])
      await server.ask('removeColleague', { token: admin.token, id })
    await expect(server.ask('me', { token })).rejects.toEqual(refused('no-session'))
    const login = await server.ask('login', { body: { email: user.email, password } })
    expect(login.value?.user).toMatchObject({ role: 'sender', Verified: false })
    await expect(accept(secret)).rejects.toEqual(refused('invitation'))
    const left = (await colleagues()).colleagues.map(({ ID }) => ID)
    expect(left).toContain(admin.user.ID)
    expect(left).not.toContain(user.ID)
  })

  test('R231: who is removed can be invited again, and nothing of before gets in', async () => {
    const { user, token } = await join('admin')
    const secondFactor = { sealed: '00', isOn: true, recovery: [] }
    await server.repo.transaction(({ users }) => users.change(user.ID, { factor: secondFactor }))
    await expect(invite('support', user.email)).rejects.toEqual(refused('email-taken'))
    await server.ask('removeColleague', { token: admin.token, id: user.ID })
    const login = (password: string) =>
      server.ask('login', { body: { email: user.email, password } })
    const asSender = present((await login(password)).value)
    const secret = await invite('support', user.email.toUpperCase())
    // Until they accept, nothing has changed.
    expect((await login(password)).value?.role).toBe('sender')
    const body = { name: 'Yaa Asantewaa', password: 'another long one of theirs' }
    const back = present((await server.ask('acceptInvitation', { id: secret, body })).value)
    expect(back.user).toMatchObject({ ID: user.ID, name: 'Yaa Asantewaa', role: 'support' })
    for (const old of [token, asSender.token])
      await expect(server.ask('me', { token: old })).rejects.toEqual(refused('no-session'))
    await expect(login(password)).rejects.toEqual(refused('wrong-login'))
    const now = present((await login(body.password)).value)
    expect(now.user).toMatchObject({ role: 'support', Verified: true, phone_number: '' })
    expect(now.user.secondFactor).toBeFalsy()
    expect((await server.ask('adminDeliveries', { token: now.token })).status).toBe(200)
    await expect(accept(secret)).rejects.toEqual(refused('invitation'))
    await server.ask('removeColleague', { token: admin.token, id: user.ID })
    expect((await accept(await invite('admin', user.email))).role).toBe('admin')
  })

  test('R231: a refused removal makes nobody a former colleague', async () => {
    const { user } = await server.signUp('sender')
    const removal = server.ask('removeColleague', { token: admin.token, id: user.ID })
    await expect(removal).rejects.toEqual(refused('not-found'))
    await expect(invite('support', user.email)).rejects.toEqual(refused('email-taken'))
  })

  test('R231: an invitation is void where the account has since become another’s kind', async () => {
    const { user } = await join('support')
    await server.ask('removeColleague', { token: admin.token, id: user.ID })
    const change = (what: { email?: string; role?: 'driver'; phone_number?: string }) =>
      server.repo.transaction(({ users }) => users.change(user.ID, what))
    const secret = await invite('admin', user.email)
    const email = `moved-${user.email}`
    await change({ email })
    await expect(accept(secret)).rejects.toEqual(refused('invitation'))
    // A newer one replaces that to the e-mail of before.
    const second = await invite('support', email)
    expect((await colleagues()).invitations.filter(({ ID }) => ID === user.ID)).toHaveLength(1)
    // No number counts as confirmed that nobody has confirmed.
    await change({ phone_number: '0244000231' })
    expect((await accept(second)).user).toMatchObject({ Verified: true, phone_number: '' })
    await server.ask('removeColleague', { token: admin.token, id: user.ID })
    const third = await invite('support', email)
    await change({ role: 'driver' })
    await expect(accept(third)).rejects.toEqual(refused('invitation'))
    await expect(invite('support', email)).rejects.toEqual(refused('email-taken'))
  })

  test('nobody changes themselves, so one admin stays, also of two at once', async () => {
    const other = await join('admin')
    const about = { token: admin.token, id: admin.user.ID }
    await expect(
      server.ask('changeColleague', { ...about, body: { role: 'support' } }),
    ).rejects.toEqual(refused('yourself'))
    await expect(server.ask('removeColleague', about)).rejects.toEqual(refused('yourself'))
    const outcomes = await Promise.allSettled([
      server.ask('removeColleague', { token: admin.token, id: other.user.ID }),
      server.ask('removeColleague', { token: other.token, id: admin.user.ID }),
    ])
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    // The other tests' admin.
    await server.repo.transaction(({ users }) => users.change(admin.user.ID, { role: 'admin' }))
  })
})

test('R211: each start prints a password that works, until the first admin has logged in', async () => {
  const fresh = await startTestServer()
  // A server without ADMIN_PASSWORD: the helper's admin is not its.
  await fresh.repo.transaction(async ({ users }) => {
    const found = present(await users.findAdmin())
    await users.change(found.ID, { role: 'sender' })
  })
  const start = () => seed(fresh.ports, { email: 'first@soma.test' })
  const [printed, beside] = await Promise.all([start(), start()])
  expect(printed).toEqual(beside)
  expect(await start()).toEqual(printed)
  const stored = await fresh.repo.read(({ users }) => users.byEmail('first@soma.test'))
  expect(stored).toMatchObject({ role: 'admin' })
  const body = present(printed)
  expect((await fresh.ask('login', { body })).value?.role).toBe('admin')
  expect(await start()).toBeUndefined()
  await fresh.close()
})
