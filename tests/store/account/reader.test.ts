import { expect, test } from 'vitest'
import { credentialsOfReader } from '#store/account/reader.ts'
import { actorOf, mayStoreRows } from '#store/session.ts'
import { markExpired } from '#sync/database/device/expired-session.ts'
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
  db.close()
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
  db.close()
})

test('S59: rows may be written of a guest always, of a person while their login is taken', () => {
  const of = (account: string, by?: object) => mayStoreRows(by as never, account)
  expect(of('guest')).toBe(true)
  expect(of('guest', session('kofi', { expired: true }))).toBe(true)
  expect(of('kofi')).toBe(false)
  expect(of('kofi', session('kofi'))).toBe(true)
  expect(of('kofi', session('kofi', { expired: true }))).toBe(false)
  expect(of('kofi', session('ama'))).toBe(false)
})

test('S8: who acts is the guest of a delivery, or whoever is logged in, and nobody else', () => {
  expect(actorOf(undefined, 'guest', 'd1')).toEqual({ guestOf: 'd1' })
  expect(actorOf(session('kofi') as never, 'kofi', 'd1')).toMatchObject({ user: { ID: 'kofi' } })
  expect(actorOf(session('kofi') as never, 'ama', 'd1')).toBeUndefined()
  expect(actorOf(undefined, 'kofi', 'd1')).toBeUndefined()
})

test.each([
  ['the login whose it was', 'kofi', 'token of kofi', true],
  ['a login of another person', 'ama', 'token of kofi', undefined],
  ['a later login of the same person', 'kofi', 'an older token', undefined],
])('S14: a refused token marks %s', async (_, account, token, expired) => {
  const { db } = createDevice()
  await db.sessions.put(session('kofi'))
  await markExpired(db, account, token)
  expect((await db.sessions.get('current'))?.expired).toBe(expired)
  db.close()
})
