import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Refusal } from '#domain/errors.ts'
import type { Repo, Stores } from '../../ports/repo.ts'
import {
  browserRandom,
  equalSecrets,
  keyedHash,
  keysFromPepper,
  type Random,
  type Secrets,
  secretsFrom,
} from '../../ports/secrets.ts'
import { StartupError } from '../../startup-error.ts'

/*
 * The server's secrets are derived from `SECRET_KEY`, which is not in the database: with a copy of the
 * database nobody opens a stored response or forges a fingerprint.
 *
 * A database of an earlier version has its key in the setting `pepper`. The first start with a SECRET_KEY
 * seals its stored responses again. IDs and fingerprints of requests are derived from the old key, so that
 * key is kept, sealed with SECRET_KEY.
 */

/** Names in the settings table. Databases hold them. */
const names = { pepper: 'pepper', sealedPepper: 'sealed pepper', check: 'secret key check' }

/** Stored responses that are sealed again at once. */
const pageSize = 500
/** How often a process tries while another upgrades the database. Each try waits for its lock. */
const maxLooks = 24

/**
 * Opens the secrets of this database with its key (32 bytes in hex). Throws `StartupError` when the key is
 * not the database's. Upgrading 100,000 stored responses takes about 20 s, in which other processes wait.
 */
export async function openSecrets(
  repo: Repo,
  secretKey: string,
  random: Random = browserRandom,
): Promise<Secrets> {
  const key = hexToBytes(secretKey)
  for (let looks = 1; ; looks++) {
    try {
      return await repo.transaction((stores) => openIn(stores, key, random))
    } catch (error) {
      // Another process upgrades the database, and the wait exceeded the database's lock timeout.
      if (!(error instanceof Refusal) || looks === maxLooks) throw error
      await new Promise((later) => setTimeout(later, 250))
    }
  }
}

const checkOf = (key: Uint8Array) => bytesToHex(keyedHash(key, 'check'))

/** Whether this database was made with a key. */
export const hasSecretKey = async (repo: Repo): Promise<boolean> =>
  (await repo.read(({ settings }) => settings.get(names.check))) !== undefined

/** Whether this key (in hex) opens a database with these settings. Any key opens one that has none yet. */
export function isKeyOfDatabase(secretKey: string, settings: ReadonlyMap<string, string>): boolean {
  const check = settings.get(names.check)
  if (check === undefined) return true
  return /^[0-9a-f]{64}$/.test(secretKey) && equalSecrets(check, checkOf(hexToBytes(secretKey)))
}

async function openIn(stores: Stores, key: Uint8Array, random: Random): Promise<Secrets> {
  // Of several processes that start at once, one does this and the others wait.
  await stores.attempts.lock('secret key')
  const check = checkOf(key)
  if (!equalSecrets(await stores.settings.keep(names.check, check), check))
    throw new StartupError(
      'This SECRET_KEY (or the file secret.key in DATA_DIR) is not the one this database was made with.',
    )
  const sealing = keyedHash(key, 'seal')
  const fresh = secretsFrom({ pepper: keyedHash(key, 'pepper'), sealing }, random)
  const plain = await stores.settings.get(names.pepper)
  if (plain !== undefined) await upgrade(stores, plain, fresh)
  const sealed = await stores.settings.get(names.sealedPepper)
  if (sealed === undefined) return fresh
  const pepper = hexToBytes(fresh.open(hexToBytes(sealed), names.sealedPepper))
  return secretsFrom({ pepper, sealing }, random)
}

/** Seals every stored response again, deletes those that hold a session token, and removes the old key. */
async function upgrade({ requests, settings }: Stores, pepper: string, now: Secrets) {
  const before = secretsFrom(keysFromPepper(hexToBytes(pepper)))
  for (let after = ''; ; ) {
    const responses = await requests.page(after, pageSize)
    for (const { id, status, sealed } of responses) {
      const text = openOrNothing(before, sealed, id)
      if (text === undefined || hasToken(text)) await requests.remove(id)
      else await requests.answer(id, status, now.seal(text, id))
      after = id
    }
    if (responses.length === 0) break
  }
  const sealed = now.seal(pepper, names.sealedPepper)
  await settings.keep(names.sealedPepper, bytesToHex(sealed))
  await settings.remove(names.pepper)
}

/** The text of a sealed response; `undefined` when it cannot be opened. */
function openOrNothing(secrets: Secrets, sealed: Uint8Array, id: string): string | undefined {
  try {
    return secrets.open(sealed, id)
  } catch {
    return undefined
  }
}

const hasToken = (body: string) => {
  const parsed: unknown = JSON.parse(body)
  return typeof parsed === 'object' && parsed !== null && 'token' in parsed
}
