import { beforeAll, describe, expect, test } from 'vitest'
import { PersonFacts } from '#domain/users/standing/person-facts.ts'
import { liftDueSuspensions } from '#server/rules/accounts/suspensions.ts'
import { type Person, photo, present } from '../../../helpers/server/server.ts'
import { overBothAdapters } from '../../both-adapters.ts'

overBothAdapters((server) => {
  let admin: Person
  beforeAll(async () => {
    admin = await server().admin()
  })
  const reason = 'Parcels were lost'
  const suspend = (person: Person, body: object = {}) =>
    server().ask('suspendUser', {
      token: admin.token,
      id: person.user.ID,
      body: { suspended: true, reason, ...body },
    })
  const lift = (person: Person) => suspend(person, { suspended: false, reason: 'A mistake' })
  const login = ({ email, password }: Person) =>
    server().ask('login', { body: { email, password } })
  const isOut = { status: 401, reason: 'no-session' }
  const get = async (person: Person, id: string) =>
    present((await server().ask('getDelivery', { token: person.token, id })).value).delivery
  const facts = async (person: Person) => {
    const { value } = await server().ask('adminUser', { token: admin.token, id: person.user.ID })
    return PersonFacts.parse(value?.about)
  }

  describe('a person who is suspended', () => {
    test('R198: is logged out, and reads why and until when at a login with the right password alone', async () => {
      const ama = await server().sender()
      const until = new Date(server().clock.now() + 3_600_000).toISOString()
      const { value } = await suspend(ama, { until })
      expect(value?.user.suspended).toMatchObject({ reason, until })
      await expect(server().ask('me', { token: ama.token })).rejects.toMatchObject(isOut)
      const response = await server().raw('POST', '/login', {
        body: { email: ama.email, password: ama.password },
      })
      expect(response.status).toBe(403)
      expect(await response.json()).toEqual({
        error: expect.stringMatching(
          /^Your account is suspended until \d+ \w+ 20\d\d, \d\d:\d\d\. Reason: Parcels were lost$/,
        ),
        reason: 'suspended',
        until,
      })
      const wrong = { email: ama.email, password: 'not the password' }
      await expect(server().ask('login', { body: wrong })).rejects.toMatchObject({
        reason: 'wrong-login',
      })
      await lift(ama)
      expect((await login(ama)).value?.user).not.toHaveProperty('suspended')
    })

    test('R198: is let in again when its end has come', async () => {
      const ama = await server().sender()
      const made = await server().delivery(ama)
      const until = new Date(server().clock.now() + 3_600_000).toISOString()
      await suspend(ama, { until })
      const clock = () => Date.parse(until)
      await liftDueSuspensions({ ...server().ports, clock: () => clock() - 1 })
      await expect(login(ama)).rejects.toMatchObject({ reason: 'suspended' })
      await liftDueSuspensions({ ...server().ports, clock })
      expect(await get(admin, made.ID)).not.toHaveProperty('withheld')
      await login(ama)
    })

    test('R5, R198: loses a job not yet picked up, and a dispute opens for one they carry', async () => {
      for (const status of ['Accepted', 'Picked Up'] as const) {
        const [ama, yaw] = [await server().sender(), await server().driver()]
        const made = await server().delivery(ama)
        await server().drive(made, yaw, status)
        await suspend(yaw)
        const now = await get(ama, made.ID)
        expect([now.status, now.disputed ?? false]).toEqual(
          status === 'Accepted' ? ['Pending', false] : ['Picked Up', true],
        )
      }
    })

    test('R199: takes their requests from the offers until it is lifted', async () => {
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama)
      const offers = async (since?: string) =>
        present(
          (await server().ask('availableDeliveries', { token: yaw.token, query: { since } })).value,
        )
      const { cursor, deliveries } = await offers()
      expect(deliveries.map(({ ID }) => ID)).toContain(made.ID)
      await suspend(ama)
      expect((await offers()).deliveries.map(({ ID }) => ID)).not.toContain(made.ID)
      const left = await offers(cursor)
      expect(left.removed).toEqual([made.ID])
      const accept = () => server().ask('acceptDelivery', { token: yaw.token, id: made.ID })
      await expect(accept()).rejects.toMatchObject({ status: expect.any(Number) })
      await lift(ama)
      expect((await offers(left.cursor)).deliveries.map(({ ID }) => ID)).toEqual([made.ID])
      await accept()
    })

    test('R199: a job that its driver gives back meanwhile is not on offer', async () => {
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama)
      await server().drive(made, yaw, 'Accepted')
      await suspend(ama)
      const give = { token: yaw.token, id: made.ID, body: { reason: 'My bike broke down' } }
      await server().ask('releaseJob', give)
      const { value } = await server().ask('availableDeliveries', { token: yaw.token })
      expect(value?.deliveries.map(({ ID }) => ID)).not.toContain(made.ID)
    })

    test('R192, R199: gets no job from the office, and nobody gets one of theirs', async () => {
      const [ama, yaw] = [await server().sender(), await server().driver()]
      const made = await server().delivery(ama)
      const give = () =>
        server().ask('assignDriver', {
          token: admin.token,
          id: made.ID,
          body: { driver: yaw.user.ID, reason: 'Asked by phone' },
        })
      await suspend(yaw)
      await expect(give()).rejects.toMatchObject({ reason: 'not-approved' })
      await lift(yaw)
      await suspend(ama)
      await expect(give()).rejects.toMatchObject({
        reason: 'wrong-status',
        message: expect.stringContaining('Its sender is suspended'),
      })
      await lift(ama)
      await give()
    })

    test('R198: an admin needs a reason and an end that is to come, and is somebody else', async () => {
      const ama = await server().sender()
      const invalid = { status: 400 }
      await expect(suspend(ama, { reason: ' ' })).rejects.toMatchObject(invalid)
      const past = new Date(server().clock.now()).toISOString()
      await expect(suspend(ama, { until: past })).rejects.toMatchObject(invalid)
      const lifted = { suspended: false, until: '2999-01-01T00:00:00Z' }
      await expect(suspend(ama, lifted)).rejects.toMatchObject(invalid)
      await expect(lift(ama)).rejects.toMatchObject({ status: 409, reason: 'wrong-status' })
      await expect(suspend(admin)).rejects.toMatchObject({ status: 409, reason: 'yourself' })
    })
  })

  test('R202: notes of the office stand with the person, newest first, and in nothing they read', async () => {
    const ama = await server().sender()
    for (const text of ['Called, no answer', 'Called back'])
      await server().ask('addNote', { token: admin.token, id: ama.user.ID, body: { text } })
    const { notes } = await facts(ama)
    expect(notes.map(({ text, by }) => [text, by])).toEqual([
      ['Called back', admin.user.name],
      ['Called, no answer', admin.user.name],
    ])
    const own = await server().ask('me', { token: ama.token })
    expect(JSON.stringify(own.value)).not.toContain('Called')
  })

  test('R203: signs of fraud: what two accounts share, pairs, cancels and jobs given back', async () => {
    const idPhoto = photo.replaceAll('ab', 'c7')
    const [ama, yaw] = [await server().sender(), await server().driver({ idPhoto })]
    const kofi = await server().driver({ idPhoto })
    const same = await server().signUp('sender', {
      phone_number: ama.phone,
      email: `again.${ama.email}`,
    })
    for (let at = 0; at < 3; at++) {
      const made = await server().delivery(ama)
      await server().drive(made, yaw, 'Delivered')
      await server().changeStatus(ama, made.ID, 'Approved')
    }
    const signs = async (person: Person) =>
      (await facts(person)).signs.map(({ kind, people, count, of }) => [
        kind,
        people.map(({ ID }) => ID),
        count,
        of,
      ])
    expect(await signs(ama)).toEqual([
      ['phone', [same.user.ID], undefined, undefined],
      ['pair', [yaw.user.ID], 3, 3],
    ])
    expect(await signs(yaw)).toEqual([
      ['photo', [kofi.user.ID], undefined, undefined],
      ['pair', [ama.user.ID], 3, 3],
    ])
    const esi = await server().sender()
    for (let at = 0; at < 3; at++) {
      const { ID } = await server().delivery(esi)
      await server().ask('acceptDelivery', { token: kofi.token, id: ID })
      const give = { token: kofi.token, id: ID, body: { reason: 'My bike broke down' } }
      await server().ask('releaseJob', give)
      await server().changeStatus(esi, ID, 'Cancelled')
    }
    const at = new Date().toISOString()
    const reported = { code: `R203${esi.phone.slice(-4)}`, at, queueLength: 0 }
    await server().repo.transaction(async ({ devices }) => {
      await devices.add({ ...reported, userId: admin.user.ID })
      for (const userId of [esi.user.ID, esi.user.ID, undefined])
        await devices.touch({ ...reported, userId })
    })
    expect(await signs(esi)).toEqual([
      ['device', [admin.user.ID], undefined, undefined],
      ['cancels', [], 3, 3],
    ])
    expect(await signs(kofi)).toEqual([
      ['photo', [yaw.user.ID], undefined, undefined],
      ['give-backs', [], 3, 3],
    ])
  })
})
