import { product } from '#domain/product.ts'
import { storedDiagnostics } from '#sync/database/device/diagnostics.ts'
import type { Quarantined } from '#sync/database/engine-db.ts'
import { addTexts } from '../../deliveries/photos/photos.ts'
import type { Entry } from '../../entries/operations.ts'
import type { Photo } from '../../rows.ts'
import { currentAccount, currentSession } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { draft, quarantined } from '../queries.ts'
import { outbox } from './outbox.ts'

/**
 * Everything of this person that has not reached the server (S30), and what was set aside (S58), as one JSON
 * file with its photos in it as data URLs, and the engine's last events. What proves a guest to the server
 * stays on the phone. `now` in milliseconds since 1970.
 */
export async function unsentFile(db: SomaDb, now: number): Promise<Blob> {
  const entries = (await outbox(db)).filter(
    ({ state }) => state !== 'done' && state !== 'cancelled',
  )
  const typed = await draft(db)
  const aside = await quarantined(db)
  const named = new Set(entries.flatMap(({ photos }) => photos))
  addTexts([typed, aside.map(({ value }) => value)], named)
  const photos = (await db.photos.bulkGet([...named])).filter((photo) => photo !== undefined)
  const content = {
    app: product,
    version: 1,
    account: await currentAccount(db),
    madeBy: (await currentSession(db))?.user.name,
    savedAt: new Date(now).toISOString(),
    items: entries.reverse().map(readable),
    draft: typed ?? undefined,
    setAside: aside.map(withoutTokens),
    photos: Object.fromEntries(photos.map((photo) => [photo.id, dataUrl(photo)])),
    diagnostics: await storedDiagnostics(db),
  }
  return new Blob([JSON.stringify(content, null, 2)], { type: 'application/json' })
}

const readable = (entry: Entry) => ({
  id: entry.id,
  account: entry.account,
  what: entry.op,
  version: entry.v,
  lane: entry.lane,
  after: entry.after,
  follows: entry.follows,
  title: entry.title,
  state: entry.state,
  left: entry.left,
  reason: entry.error?.message,
  when: entry.occurredAt,
  details: { ...entry.input, guestSecret: undefined },
  photos: entry.photos,
})

/** Names of properties whose values prove somebody to the server. */
const secrets = new Set([
  'token',
  'guestToken',
  'guestSecret',
  'deliveryCode',
  'code',
  'returnCode',
  'handoverSecret',
  'secret',
])

const withoutTokens = ({ from, value, why, at }: Quarantined) => ({
  from,
  why,
  at,
  value: withoutSecrets(value),
})

/** A stored value without what proves somebody to the server, as JSON has it. */
const withoutSecrets = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (key, each) => (secrets.has(key) ? undefined : each)),
  ) as unknown

function dataUrl({ bytes, type }: Photo): string {
  let text = ''
  const all = new Uint8Array(bytes)
  // In pieces: a call takes only so many arguments.
  for (let at = 0; at < all.length; at += 8_192)
    text += String.fromCharCode(...all.subarray(at, at + 8_192))
  return `data:${type};base64,${btoa(text)}`
}
