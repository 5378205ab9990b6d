import { expect, test } from 'vitest'
import { credentialsOfReader } from '#store/account/reader.ts'
import { resolveId } from '#sync/outbox/credentials.ts'
import { createDevice, person } from '../../helpers/device/device.ts'

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
})

const session = (account: string, more: object = {}) => ({
  key: 'current' as const,
  account,
  token: `token of ${account}`,
  user: person(account, 'driver'),
  ...more,
})

test('S38: a person’s lists are read with their token, and with none once it is no longer taken', async () => {
  const { db } = createDevice()
  expect(await credentialsOfReader(db, undefined)).toBeUndefined()
  expect(await credentialsOfReader(db, 'd1')).toBeUndefined()
  await db.sessions.put(session('kofi'))
  await db.aliases.put({ account: 'kofi', local: 'd1', server: 'd2' })
  const token = 'token of kofi'
  expect(await credentialsOfReader(db, undefined)).toEqual({ account: 'kofi', question: { token } })
  expect(await credentialsOfReader(db, 'd1')).toEqual({
    account: 'kofi',
    question: { token, id: 'd2' },
  })
  const guest = { senderName: 'Ama', senderPhone: '0244000000', createdAt: '2026-11-21T10:00:00Z' }
  await db.guests.put({ ...guest, id: 'unsent' })
  expect(await credentialsOfReader(db, 'unsent')).toBeUndefined()
  await db.sessions.put(session('kofi', { expired: true }))
  expect(await credentialsOfReader(db, undefined)).toBeUndefined()
  expect(await credentialsOfReader(db, 'd1')).toBeUndefined()
})
