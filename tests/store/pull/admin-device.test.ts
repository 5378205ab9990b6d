import { expect, test } from 'vitest'
import { adminDevice } from '#store/queries/admin/admin.ts'
import { getState } from '#sync/database/device/state.ts'
import { present } from '../../helpers/server/server.ts'
import { serverOfFile } from '../../sync/server-fixture.ts'

const { server, newPhone } = serverOfFile()

test('R92: an admin sees what a phone reported, by its code, and that nobody has another', async () => {
  const [amas, office] = [newPhone(), newPhone()]
  const { email, password } = server().admin
  await amas.start()
  // A visitor has nothing to report.
  const ama = await server().sender()
  await amas.session.login(ama.email, ama.password)
  await amas.settle()
  await office.start()
  await office.session.login(email, password)
  const code = present(await getState(amas.db, 'supportCode'))
  expect(await adminDevice(office.db, code)).toBeNull()
  const { repo } = server().ports
  await expect.poll(() => repo.read(({ devices }) => devices.get(code))).toBeDefined()
  const leave = office.engine.watch({ kind: 'adminDevice', id: code })
  await office.settle()
  expect(await adminDevice(office.db, code)).toMatchObject({
    code,
    queueLength: 0,
    lastContactAt: expect.any(String),
    clientVersion: expect.any(Number),
  })
  leave()
  office.engine.watch({ kind: 'adminDevice', id: '00000000' })
  await office.settle()
  expect(await adminDevice(office.db, '00000000')).toBeNull()
  await office.session.logout('keep')
  expect(await office.db.devices.count()).toBe(0)
})
