import { describe, expect, test } from 'vitest'
import { Refused } from '#contract/wire-errors.ts'
import { ownSessions } from '#store/queries/account/sessions.ts'
import * as outboxQueries from '#store/queries/outbox/outbox.ts'
import * as queries from '#store/queries/queries.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

/** Two phones of one person; the first looks at the list of sessions. */
async function twoPhones() {
  const person = await server().sender()
  const [one, two] = [await phoneOf(person), await phoneOf(person)]
  one.engine.watch({ kind: 'sessions' })
  await one.settle()
  return { one, two, person }
}

const tokenOf = async ({ db }: Phone) => (await db.sessions.get('current'))?.token

const other = async (phone: Phone) =>
  present((await ownSessions(phone.db)).find(({ current }) => !current && true))

describe('Where a person is signed in', () => {
  test('the list has this device first, and one for each login; only others on it are signed out', async () => {
    const { one } = await twoPhones()
    const found = await ownSessions(one.db)
    // Signing up was a login too.
    expect(found).toHaveLength(3)
    expect(found.map(({ current }) => current)).toEqual([true, false, false])
    const here = present(found.find(({ current }) => current))
    await expect(one.commands.endSession(here.id)).rejects.toMatchObject({ reason: 'not-found' })
    await expect(one.commands.endSession('made up')).rejects.toMatchObject({ reason: 'not-found' })
  })

  test('signing out another device works offline: it waits, leaves with the network, and ends that login', async () => {
    const { one, two } = await twoPhones()
    const token = await tokenOf(two)
    network().cut()
    for (const { id, current } of await ownSessions(one.db))
      if (!current) await one.commands.endSession(id)
    expect((await ownSessions(one.db)).map(({ ending }) => ending)).toEqual([false, true, true])
    await expect(server().ask('me', { token })).resolves.toBeDefined()
    network().restore()
    await one.settle()
    expect(await ownSessions(one.db)).toMatchObject([{ current: true, ending: false }])
    await expect(server().ask('me', { token })).rejects.toBeInstanceOf(Refused)
    await two.settle()
    expect(await queries.viewerSession(two.db)).toBeNull()
    expect(await queries.viewerSession(one.db)).not.toBeNull()
  })

  test('a login that is over already counts as signed out', async () => {
    const { one } = await twoPhones()
    network().cut()
    const ending = await other(one)
    await one.commands.endSession(ending.id)
    const { value } = await server().ask('sessions', { token: await tokenOf(one) })
    expect(value?.sessions.map(({ id }) => id)).toContain(ending.id)
    await server().ask('endSession', { token: await tokenOf(one), id: ending.id })
    network().restore()
    await one.settle()
    expect(await queries.outboxSummary(one.db)).toMatchObject({ unsent: 0, refused: 0 })
  })
})

describe('A change of the phone number', () => {
  test('the number that counts stays on the phone until the server says otherwise', async () => {
    const person = await server().sender()
    const phone = await phoneOf(person)
    network().cut()
    await phone.commands.changePhone('0249990001')
    const session = present(await queries.viewerSession(phone.db))
    expect(session.user.phone_number).toBe(person.phone)
  })

  test('taking it back asks for the number that counts, in place of a change that never left', async () => {
    const person = await server().sender()
    const phone = await phoneOf(person)
    // So that the first of the two has surely not left.
    await phone.engine.stop()
    await phone.commands.changePhone('0249990002')
    await phone.commands.withdrawPhoneChange()
    const entries = await outboxQueries.outbox(phone.db)
    expect(entries.map(({ state, title }) => [state, title])).toEqual([
      ['waiting', person.phone],
      ['cancelled', '0249990002'],
    ])
    const bodies: unknown[] = []
    network().setConditions((request) => {
      if (request.url.endsWith('/users/me/phone'))
        void request
          .clone()
          .json()
          .then((body) => bodies.push(body))
      return 'fine'
    })
    await phone.engine.start()
    await phone.settle()
    expect(bodies).toEqual([{ phone_number: person.phone }])
  })

  test('a number the server keeps as pending is known beside the one that counts', async () => {
    const person = await server().sender()
    const phone = await phoneOf(person)
    const user = { ...person.user, pendingPhone: '0249990003' }
    network().setConditions((request) =>
      request.url.endsWith('/users/me') ? Response.json({ user, role: user.role }) : 'fine',
    )
    await phone.settle()
    expect((await queries.viewerSession(phone.db))?.user).toMatchObject({
      phone_number: person.phone,
      pendingPhone: '0249990003',
    })
  })

  test('a code is confirmed, and asked for anew, with the token of the account', async () => {
    const person = await server().sender()
    const phone = await phoneOf(person)
    const token = `Bearer ${await tokenOf(phone)}`
    await phone.session.resendCode('0249990004').catch(() => {})
    await phone.session.confirmPhone('0249990004', '000000').catch(() => {})
    const asked = network().passed.filter(({ path }) => path.startsWith('/api/verify/'))
    expect(asked.map((each) => [each.path, each.token])).toEqual([
      ['/api/verify/resend', token],
      ['/api/verify/confirm', token],
    ])
  })
})
