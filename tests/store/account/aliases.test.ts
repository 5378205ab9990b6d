import { expect, test } from 'vitest'
import { resolveId } from '#store/account/aliases.ts'
import { credentialsOfReader } from '#store/account/reader.ts'
import { createDevice } from '../../helpers/device/device.ts'

test('S19: what the server named otherwise is asked for by the server’s name', async () => {
  const { db } = createDevice()
  await db.aliases.put({ account: 'guest', local: 'here', server: 'there' })
  const guest = { senderName: 'Ama', senderPhone: '0244000000', createdAt: '2026-11-21T10:00:00Z' }
  await db.guests.put({ ...guest, id: 'there', guestToken: 'token' })
  expect(await resolveId(db, 'guest', 'here')).toBe('there')
  expect(await resolveId(db, 'kofi', 'here')).toBe('here')
  expect(await resolveId(db, 'guest', 'other')).toBe('other')
  expect(await credentialsOfReader(db, 'here')).toMatchObject({
    account: 'guest',
    question: { id: 'there', token: 'token' },
  })
  db.close()
})
