import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  bytesToHex,
  concatBytes,
  hexToBytes,
  randomBytes,
  utf8ToBytes,
} from '@noble/hashes/utils.js'
import { v7 } from 'uuid'
import { describe, expect, inject, test } from 'vitest'
import { argonPasswords } from '#server/node/passwords.ts'
import { openSecrets } from '#server/node/startup/secret-key.ts'
import type { Repo, Stores } from '#server/ports/repo.ts'
import { loadSecrets } from '#server/ports/secrets.ts'
import { newSession } from '#server/rules/accounts/new-session.ts'
import { StartupError } from '#server/startup-error.ts'
import { freshDatabase } from '../../../helpers/database/postgres.ts'
import { dexieDatabase } from '../../../helpers/server/dexie-server.ts'
import {
  postgresDatabase,
  present,
  secretKey,
  startTestServer,
  type TestServer,
} from '../../../helpers/server/server.ts'
import { expectStartWaits } from './long-upgrade.ts'

const databases = {
  PostgreSQL: async () => postgresDatabase(await freshDatabase(inject('postgresUrl'))),
  IndexedDB: async () => dexieDatabase(),
}

/* How the version before SECRET_KEY derived its keys and stored its responses. */
const oldKeyed = (pepper: Uint8Array, ...parts: string[]) =>
  hmac(sha256, pepper, utf8ToBytes(JSON.stringify(parts)))

function oldSeal(pepper: Uint8Array, text: string, about: string) {
  const nonce = randomBytes(24)
  const cipher = xchacha20poly1305(oldKeyed(pepper, 'seal'), nonce, utf8ToBytes(about))
  return concatBytes(nonce, cipher.encrypt(utf8ToBytes(text)))
}

type OldAnswer = { person: string; key: string; op: string; path: string; input: object }

async function writeOld(
  { requests }: Stores,
  pepper: Uint8Array,
  { person, key, op, path, input }: OldAnswer,
  status: number,
  body: object,
) {
  const id = bytesToHex(oldKeyed(pepper, 'request', person, key))
  const print = bytesToHex(oldKeyed(pepper, 'fingerprint', op, path, JSON.stringify(input)))
  await requests.claim(id, print, new Date().toISOString())
  await requests.answer(id, status, oldSeal(pepper, JSON.stringify(body), id))
  return id
}

/** A database written by the previous version: an admin with a session, and stored responses. */
async function oldDatabase(repo: Repo) {
  const pepper = randomBytes(32)
  const secrets = await loadSecrets(repo, () => pepper)
  const at = new Date().toISOString()
  const ID = v7()
  const token = `u_${'t'.repeat(43)}`
  await repo.transaction(async ({ users, sessions }) => {
    await users.add({
      ID,
      name: 'Old admin',
      email: 'old@example.com',
      phone_number: '0200000000',
      role: 'admin',
      Verified: true,
      passwordHash: '',
      createdAt: at,
    })
    await sessions.add(newSession(secrets, token, ID, at))
  })
  const path = '/api/admin/zones'
  const zone = { person: ID, key: v7(), op: 'addZone', path, input: { name: 'Old zone' } }
  const zoneAnswer = { zone: { ID: zone.key, Name: 'Old zone' } }
  const refusal = { person: ID, key: v7(), op: 'addZone', path, input: { name: 'Osu' } }
  const no = { error: 'That name is already on the list.', reason: 'name-taken' }
  const login = { email: 'old@example.com', password: 'x' }
  const loginAsked = { person: 'anonymous', key: v7(), op: 'login', path: '/api/login' }
  const tokenId = await repo.transaction(async (stores) => {
    await writeOld(stores, pepper, zone, 201, zoneAnswer)
    await writeOld(stores, pepper, refusal, 409, no)
    // More than one batch of the re-sealing.
    for (let n = 0; n < 600; n++)
      await writeOld(stores, pepper, { ...zone, person: `${n}` }, 201, zoneAnswer)
    return writeOld(stores, pepper, { ...loginAsked, input: login }, 200, { token })
  })
  return { pepper, token, ID, zone, zoneAnswer, refusal, no, tokenId }
}

describe.each(['PostgreSQL', 'IndexedDB'] as const)('over %s', (adapter) => {
  test('a database of the previous version opens, repeats its stored responses, and holds no key and no token', async () => {
    const database = await databases[adapter]()
    const repo = database.open()
    const old = await oldDatabase(repo)
    expect((await openedWith(repo, old.pepper)).join()).toContain(old.token)

    // Several processes start at once.
    const [server, two] = await Promise.all([startTestServer(database), startTestServer(database)])
    const again = async (server: TestServer, { key, input }: OldAnswer) => {
      const about = { token: old.token, key, body: input }
      const answer = await server.raw('POST', '/admin/zones', about)
      const replayed = answer.headers.get('idempotent-replayed')
      return { status: answer.status, replayed, body: await answer.json() }
    }
    for (const each of [server, two]) {
      expect(await again(each, old.zone)).toEqual({
        status: 201,
        replayed: 'true',
        body: old.zoneAnswer,
      })
      expect(await again(each, old.refusal)).toEqual({
        status: 409,
        replayed: 'true',
        body: old.no,
      })
      expect(await again(each, { ...old.zone, input: { name: 'Other' } })).toMatchObject({
        status: 422,
      })
    }
    await repo.read(async ({ settings, requests, users }) => {
      expect(await settings.get('pepper')).toBeUndefined()
      expect(await requests.find(old.tokenId)).toBeUndefined()
      expect(await requests.page('', 1_000)).toHaveLength(602)
      // The phone number that every first admin had is removed.
      expect(await users.get(old.ID)).toMatchObject({ phone_number: '', Verified: true })
    })
    // The key that was once stored in it opens nothing.
    expect(await openedWith(repo, old.pepper)).toEqual([])
    await server.close()
    await two.close()
    await repo.close()
    await database.drop()
  })

  test('the key of another database is refused with one line, the right one is accepted', async () => {
    const database = await databases[adapter]()
    const repo = database.open()
    const first = await openSecrets(repo, secretKey)
    const again = await openSecrets(repo, secretKey.toUpperCase())
    expect(again.keyed('x')).toBe(first.keyed('x'))
    expect(again.open(first.seal('text', 'about'), 'about')).toBe('text')
    const error = await openSecrets(repo, 'cd'.repeat(32)).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StartupError)
    expect(String(error)).toMatch(/^StartupError: This SECRET_KEY .*\.$/)
    await repo.close()
    await database.drop()
  })
})

/** The stored responses that a key opens. */
async function openedWith(repo: Repo, pepper: Uint8Array): Promise<string[]> {
  const answers = await repo.read(({ requests }) => requests.page('', 1_000))
  const keys = [pepper, oldKeyed(pepper, 'seal')]
  return answers.flatMap(({ id, sealed }) => keys.flatMap((key) => opened(key, sealed, id)))
}

function opened(key: Uint8Array, sealed: Uint8Array, about: string): string[] {
  try {
    const cipher = xchacha20poly1305(key, sealed.subarray(0, 24), utf8ToBytes(about))
    return [new TextDecoder().decode(cipher.decrypt(sealed.subarray(24)))]
  } catch {
    return []
  }
}

/** Every row of every table as text, bytes in hex. */
async function dump(server: TestServer): Promise<string> {
  const pool = server.pool()
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const parts = await Promise.all(
    tables.map(({ name }) => pool.query<{ row: string }>(`select t::text as row from ${name} t`)),
  )
  return parts.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n')
}

/** Every hex string in the database that may be a key, and every key derived from one. */
const keysIn = (text: string) =>
  [...new Set(text.match(/\b[0-9a-f]{64}\b/g))].map((hex) => hexToBytes(hex))

test('R70: a copy of the database contains no valid token and no key that opens one', async () => {
  const server = await startTestServer(undefined, { passwords: argonPasswords(2) })
  const post = async (path: string, body: object, token?: string) => {
    const answer = await server.raw('POST', path, { key: v7(), body, token })
    return answer.json()
  }
  const phone_number = server.newPhone()
  const email = 'copy@example.com'
  const signup = { name: 'N', email, password: 'long enough', phone_number, role: 'sender' }
  const first = await post('/signup', signup)
  await post('/verify/confirm', { phone_number, code: server.codeSentTo(phone_number) })
  await post('/password/request-reset', { phone_number })
  const code = server.codeSentTo(phone_number)
  await post('/password/reset', { phone_number, code, new_password: 'another password' })
  const second = await post('/login', { email, password: 'another password' })
  const guest = await post('/guest/deliveries', {
    ...server.request(),
    senderName: 'K',
    senderPhone: server.newPhone(),
  })
  const made = await post('/sender/deliveries', server.request(), second.token)
  expect(made.delivery.status).toBe('Pending')
  const tokens = [first.token, second.token, guest.guestToken]
  for (const token of tokens) expect(token).toMatch(/^[ug]_.{43}$/)

  const copy = await dump(server)
  for (const secret of [...tokens, code, 'long enough', 'another password'])
    expect(copy).not.toContain(secret)
  const { rows } = await server
    .pool()
    .query<{ id: string; sealed: Buffer }>('select id, sealed from requests')
  // The creates of the guest and the sender; nothing of sign-up, login, codes and reset (R71).
  expect(rows).toHaveLength(2)
  const keys = keysIn(copy).flatMap((key) => [key, oldKeyed(key, 'seal')])
  const found = rows.flatMap(({ id, sealed }) => keys.flatMap((key) => opened(key, sealed, id)))
  expect(found).toEqual([])
  // The key opens them, so the search above would have found it.
  const sealing = oldKeyed(hexToBytes(secretKey), 'seal')
  const all = rows.flatMap(({ id, sealed }) => opened(sealing, sealed, id))
  expect(all.join()).toContain(guest.guestToken)
  await server.close()
})

test('each SECRET_KEY gives other keys, and a new database derives all of them from it', async () => {
  const prints = new Set<string>()
  for (const key of [secretKey, 'cd'.repeat(32)]) {
    const database = dexieDatabase()
    const repo = database.open()
    const secrets = await openSecrets(repo, key)
    prints.add(secrets.keyed('x'))
    expect(await repo.read(({ settings }) => settings.get('pepper'))).toBeUndefined()
    expect(present(await repo.read(({ settings }) => settings.get('secret key check')))).not.toBe(
      key,
    )
    await repo.close()
    await database.drop()
  }
  expect(prints.size).toBe(2)
})

test('a process that starts during another’s upgrade waits for it', () =>
  expectStartWaits(async () => undefined))
