import type { SendDraft } from '#domain/deliveries/draft.ts'
import { type Place, placeOf } from '#domain/deliveries/places/place.ts'
import type { Batch } from '#sync/database/group-commit.ts'
import { ofAccount } from '../session.ts'
import type { SomaDb } from '../soma-db.ts'

/** How many places an account has on this phone (R112). */
export const mostPlaces = 12

type About = { account: string; draft: SendDraft; usedAt: number }

/**
 * Keeps the places of a request for the next one, the latest in front, each once (R112). Inside the command's
 * transaction.
 */
export async function savePlaces(db: SomaDb, batch: Batch, about: About): Promise<void> {
  const { account, draft, usedAt } = about
  const said = [
    { zone: draft.pickupZone, place: placeOf(draft.pickupPlace) },
    { zone: draft.dropoffZone, place: placeOf(draft.dropoffPlace) },
  ].flatMap(({ zone, place }) => (place ? [{ zone, place, key: keyOf(zone, place) }] : []))
  if (said.length === 0) return
  batch.put(db.places, ...said.map((each) => ({ ...each, account, usedAt })))
  await batch.flush()
  const old = await ofAccount(db.places, 'usedAt', account)
    .reverse()
    .offset(mostPlaces)
    .primaryKeys()
  for (const key of old) batch.delete(db.places, key)
}

/** Two places are one where their words are the same; of two pins without words, within about ten metres. */
function keyOf(zone: string, { text, note, lat, lng }: Place): string {
  const pin = lat === undefined ? undefined : `${lat.toFixed(4)},${lng?.toFixed(4)}`
  return `${zone}|${text?.toLowerCase().replace(/\s+/g, ' ') ?? pin ?? note}`
}
