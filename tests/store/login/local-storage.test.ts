import { expect, test } from 'vitest'
import * as queries from '#store/queries/queries.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, network, newPhone, startedPhone } = serverOfFile()

test('a token put into local storage logs its owner in', async () => {
  const someone = await server().sender()
  const phone = newPhone()
  phone.storage.set('token', someone.token)
  await phone.start()
  expect(await queries.viewerSession(phone.db)).toMatchObject({ account: someone.user.ID })
  await expect.poll(() => phone.storage.get('user')).toContain(someone.email)
})

test('a token whose owner cannot be asked for is kept, and known when the network is back', async () => {
  const someone = await server().sender()
  const phone = newPhone()
  phone.storage.set('token', someone.token)
  network().cut()
  await phone.start()
  await phone.settle()
  expect(phone.storage.get('token')).toBe(someone.token)
  await phone.kill()

  network().restore()
  const later = newPhone({ dbName: phone.db.name })
  later.storage.set('token', someone.token)
  await later.start()
  expect(await queries.viewerSession(later.db)).toMatchObject({ account: someone.user.ID })
})

test('a token the server does not know is removed', async () => {
  const phone = newPhone()
  phone.storage.set('token', 'made up')
  await phone.start()
  await expect.poll(() => phone.storage.get('token')).toBeUndefined()
  expect(await queries.viewerSession(phone.db)).toBeNull()
})

test('clearing local storage signs out, and a login writes it again', async () => {
  const someone = await server().sender()
  const phone = await startedPhone()
  await phone.session.login(someone.email, someone.password)
  await expect.poll(() => phone.storage.get('token')).toBeDefined()
  await phone.kill()
  const cleared = await startedPhone({ dbName: phone.db.name })
  expect(await queries.viewerSession(cleared.db)).toBeNull()
  await cleared.session.login(someone.email, someone.password)
  expect(JSON.parse(cleared.storage.get('user') ?? '{}')).toMatchObject({ email: someone.email })
})
