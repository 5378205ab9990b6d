import { expect, test } from 'vitest'
import { forgetAccount } from '#store/account/forget-account.ts'
import { createDevice, person, signIn } from '../../helpers/device/device.ts'

test('S59: forgetting one account ends its own login and no other', async () => {
  const { db } = createDevice()
  const forget = (account: string) =>
    db.transaction('rw', db.tables, async () => forgetAccount(db, account, 'keep'))
  await signIn(db, person('ama', 'sender'))
  await forget('kofi')
  expect(await db.sessions.get('current')).toMatchObject({ account: 'ama' })
  await forget('ama')
  expect(await db.sessions.get('current')).toBeUndefined()
  db.close()
})
