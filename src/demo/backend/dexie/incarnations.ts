import { lastChange, type ServerDb } from './database.ts'

/** Milliseconds a cursor is accepted, and a day more. */
const cursorsLive = 8 * 24 * 60 * 60 * 1000

/**
 * Records this opening of the database with the first change that may follow (R93), before anything else is
 * read or written. When the database was replaced by an earlier copy, the numbers of changes are given again.
 */
export async function recordIncarnation(db: ServerDb): Promise<void> {
  const { incarnations, deliveries } = db
  await db.transaction('rw', incarnations, deliveries, async () => {
    const at = Date.now()
    await incarnations.add({ id: newId(), first: (await lastChange(db)) + 1, at })
    const all = await incarnations.orderBy('place').toArray()
    const old = all.filter((_, index) => (all[index + 1]?.at ?? at) < at - cursorsLive)
    await incarnations.bulkDelete(old.flatMap(({ place }) => place ?? []))
  })
}

/** The cursor of this moment, and the change that `since` stands for, where it is of this opening (R93). */
export async function currentCursor(
  db: ServerDb,
  since: string | undefined,
): Promise<{ cursor: string; from: number | undefined }> {
  const last = await lastChange(db)
  const newest = await db.incarnations.orderBy('place').last()
  const [given, change] = since?.match(/^(\w{16})-(\d{1,15})$/)?.slice(1) ?? []
  const isHeld = given === newest?.id && Number(change) <= last
  return { cursor: `${newest?.id}-${last}`, from: isHeld ? Number(change) : undefined }
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
