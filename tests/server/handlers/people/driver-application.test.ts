import { expect, test } from 'vitest'
import { type Person, photo, present } from '../../../helpers/server/server.ts'
import { overIndexedDb } from '../../both-adapters.ts'

const id = { idType: 'passport' as const, idPhoto: photo }

overIndexedDb((server) => {
  const apply = ({ token }: Person, over: object = {}) =>
    server().ask('applyAsDriver', { token, body: { ...id, idNumber: 'AB123456', ...over } })
  const me = async ({ token }: Person) => present((await server().ask('me', { token })).value).user
  const review = async ({ user }: Person, status: 'approved' | 'rejected') => {
    const { token } = await server().admin()
    return server().ask('reviewDriver', { token, id: user.ID, body: { status } })
  }

  test('R1, R6: a sender becomes a driver with the same login, and keeps the delivery under way', async () => {
    const ama = await server().sender()
    const { ID } = await server().delivery(ama)
    const applied = present((await apply(ama)).value).user
    expect(applied).toMatchObject({ role: 'driver', driverStatus: 'pending', Verified: true })
    expect(await me(ama)).toEqual(applied)
    const jobs = () => server().ask('availableDeliveries', { token: ama.token })
    await expect(jobs()).rejects.toMatchObject({ reason: 'driver-not-approved' })
    const { token } = await server().admin()
    const list = await server().ask('adminDrivers', { token, query: { status: 'pending' } })
    expect(list.value?.drivers).toContainEqual(
      expect.objectContaining({ ID: ama.user.ID, IDType: 'passport', IDNumber: 'AB123456' }),
    )
    await review(ama, 'approved')
    const other = await server().delivery(await server().sender())
    expect((await jobs()).value?.deliveries.map((row) => row.ID)).toContain(other.ID)
    const own = await server().ask('senderActiveDeliveries', { token: ama.token })
    expect(own.value?.deliveries.map((row) => row.ID)).toEqual([ID])
    await server().changeStatus(ama, ID, 'Cancelled')
    await server().ask('acceptDelivery', { token: ama.token, id: other.ID })
  })

  test('R4, R6: a rejected driver applies again; one who waits, drives or decides does not', async () => {
    const yaw = await server().signUp('driver')
    const state = { status: 409, reason: 'wrong-status' }
    await expect(apply(yaw)).rejects.toMatchObject(state)
    await review(yaw, 'rejected')
    await apply(yaw, { idNumber: 'AB654321' })
    expect((await me(yaw)).driverStatus).toBe('pending')
    await review(yaw, 'approved')
    await expect(apply(yaw)).rejects.toMatchObject(state)
    await expect(apply(await server().admin())).rejects.toMatchObject({ status: 403 })
    const { token } = await server().admin()
    const known = await server().ask('adminUser', { token, id: yaw.user.ID })
    expect(known.value?.application).toMatchObject({ Status: 'approved', IDNumber: 'AB654321' })
  })

  test('R200: a rejected driver reads why, until they apply again', async () => {
    const yaw = await server().signUp('driver')
    const { token } = await server().admin()
    const status = async () =>
      present((await server().ask('driverStatus', { token: yaw.token })).value)
    const decide = (body: { status: 'approved' | 'rejected'; reason?: string }) =>
      server().ask('reviewDriver', { token, id: yaw.user.ID, body })
    const approved = { status: 'approved', reason: 'Fine' } as const
    await expect(decide(approved)).rejects.toMatchObject({ status: 400 })
    await decide({ status: 'rejected', reason: ' The photo is blurred ' })
    expect(await status()).toEqual({ status: 'rejected', reason: 'The photo is blurred' })
    const known = await server().ask('adminUser', { token, id: yaw.user.ID })
    expect(known.value?.application?.reason).toBe('The photo is blurred')
    await apply(yaw, { idNumber: 'AB654322' })
    expect(await status()).toEqual({ status: 'pending' })
    await decide({ status: 'rejected' })
    expect(await status()).toEqual({ status: 'rejected' })
  })

  test('R201: an ID number of another account, also a rejected one, is refused and told to the office', async () => {
    const yaw = await server().signUp('driver', { name: 'Yaw First', idNumber: 'GHA-725000001-1' })
    await review(yaw, 'rejected')
    const taken = { status: 409, reason: 'id-number' }
    const card = { idType: 'ghana_card', idNumber: 'GHA-725000001-1' } as const
    const kofi = { name: 'Kofi Second', ...card }
    await expect(server().signUp('driver', kofi)).rejects.toMatchObject(taken)
    const ama = await server().sender({ name: 'Ama Third' })
    await expect(apply(ama, card)).rejects.toMatchObject(taken)
    expect((await me(ama)).role).toBe('sender')
    const { token } = await server().admin()
    const { activities } = present((await server().ask('adminActivities', { token })).value)
    expect(activities.map(({ Message }) => Message)).toEqual(
      expect.arrayContaining(
        ['Kofi Second', 'Ama Third'].map(
          (name) => `${name} tried to apply with the ID number of Yaw First`,
        ),
      ),
    )
    await server().repo.read(async ({ applications }) => {
      // As earlier versions stored it.
      expect(await applications.lockIdNumber('gha 725000001 1')).toEqual([yaw.user.ID])
    })
    await apply(yaw, card)
    // The sign-up whose response was lost is told that its e-mail is known (R7).
    const again = { email: yaw.email, ...card }
    await expect(server().signUp('driver', again)).rejects.toMatchObject({ reason: 'email-taken' })
  })

  test('R6: an application with a wrong number, or a photo of another origin, changes nothing', async () => {
    const ama = await server().sender()
    for (const [wrong, reason] of [
      [{ idNumber: 'abc' }, 'invalid'],
      [{ idType: 'ghana_card' }, 'invalid'],
      [{ idPhoto: 'https://evil.test/x.png' }, 'id-photo-not-hosted'],
    ] as const)
      await expect(apply(ama, wrong)).rejects.toMatchObject({ status: 400, reason })
    expect((await me(ama)).role).toBe('sender')
  })
})
