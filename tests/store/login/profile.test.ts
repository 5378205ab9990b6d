import { expect, test } from 'vitest'
import { undoneChanges } from '#store/queries/account/undone-changes.ts'
import { viewerSession } from '#store/queries/queries.ts'
import { filledDraft } from '../../helpers/device/device.ts'
import type { Phone } from '../../helpers/device/phone.ts'
import { photo } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, phoneOf } = serverOfFile()

const me = async ({ db }: Phone) => (await viewerSession(db))?.user
const id = { idType: 'passport', idNumber: 'AB123456', idPhoto: photo } as const

test('R144: a changed name is shown at once, also where the profile cannot be asked for', async () => {
  const phone = await phoneOf(await server().sender())
  network().setConditions(({ method }) => (method === 'GET' ? 'request lost' : 'fine'))
  await phone.session.changeProfile({ firstName: 'Akua', lastName: 'Boateng' })
  expect(await me(phone)).toMatchObject({ name: 'Akua Boateng' })
})

test('R144: a change whose response was lost is sent again without harm, of each kind', async () => {
  const ama = await server().sender()
  const phone = await phoneOf(ama)
  const email = `new-${ama.email}`
  for (const change of [
    { firstName: 'Akua' },
    { email },
    { password: { old: ama.password, new: 'another long password' } },
  ]) {
    network().setConditions(() => 'answer lost')
    await expect(phone.session.changeProfile(change)).rejects.toThrow('No connection right now')
    network().setConditions(() => 'fine')
    await phone.session.changeProfile(change)
  }
  expect(await me(phone)).toMatchObject({ email, name: expect.stringMatching(/^Akua/) })
})

test('R6: an application whose response was lost, or that another tab has sent, counts as sent', async () => {
  const phone = await phoneOf(await server().sender())
  const apply = () => phone.session.applyAsDriver(id)
  network().setConditions(() => 'answer lost')
  await expect(apply()).rejects.toThrow('No connection right now')
  network().setConditions(() => 'fine')
  await apply()
  expect(await me(phone)).toMatchObject({ role: 'driver', driverStatus: 'pending' })
  const { token } = server().admin
  const user = await me(phone)
  await server().ask('reviewDriver', { token, id: user?.ID, body: { status: 'approved' } })
  await expect(apply()).rejects.toThrow('You are approved to drive.')
  expect(await me(phone)).toMatchObject({ driverStatus: 'approved' })
})

test('S53, R144: after a restore the phone shows the account as the server has it, and that a change is gone', async () => {
  const ama = await server().sender()
  const phone = await phoneOf(ama)
  await phone.session.changeProfile({ firstName: 'Akua' })
  await phone.session.changeProfile({ email: `new-${ama.email}` })
  expect(await undoneChanges(phone.db)).toEqual({ name: false, email: false })
  // What the restored server has of it.
  await server().repo.transaction(({ users }) => users.change(ama.user.ID, { name: ama.user.name }))
  await phone.engine.refresh({ kind: 'me' })
  expect(await me(phone)).toMatchObject({ name: ama.user.name })
  expect(await undoneChanges(phone.db)).toEqual({ name: true, email: false })
  const threeDays = 72 * 3_600_000
  expect(await undoneChanges(phone.db, Date.now() + threeDays)).toMatchObject({ name: false })
  await phone.session.changeProfile({ firstName: 'Akua' })
  expect(await undoneChanges(phone.db)).toMatchObject({ name: false })
})

test('S89: a deleted account leaves no row, draft or entry on its phone, also after a lost response', async () => {
  const ama = await server().sender()
  const phone = await phoneOf(ama)
  expect(await (await phone.session.personalData()).text()).toContain(ama.email)
  network().setConditions(() => 'request lost')
  await phone.commands.requestDelivery(await filledDraft(phone.commands), 'account')
  await phone.commands.saveDraft(await filledDraft(phone.commands))
  await expect(phone.session.deleteAccount(ama.password)).rejects.toThrow('No connection right now')
  expect(await phone.db.outbox.count()).toBeGreaterThan(0)
  network().setConditions(() => 'fine')
  await expect(phone.session.deleteAccount('not the one')).rejects.toMatchObject({
    reason: 'wrong-password',
  })
  network().setConditions(() => 'answer lost')
  await expect(phone.session.deleteAccount(ama.password)).rejects.toThrow('No connection right now')
  network().setConditions(() => 'fine')
  const atDeletion: Promise<unknown>[] = []
  await phone.session.deleteAccount(ama.password, () => {
    atDeletion.push(me(phone))
  })
  expect(await Promise.all(atDeletion)).toMatchObject([{ ID: ama.user.ID }])
  expect(await me(phone)).toBeUndefined()
  for (const table of phone.db.tables) {
    const own = await table.filter((row) => JSON.stringify(row).includes(ama.user.ID)).count()
    expect([table.name, own]).toEqual([table.name, 0])
  }
})
