import { lastChange, type ServerDb } from './database.ts'

/**
 * Records this opening of the database (R93), before anything else is read or written. When the database was replaced
 * by an earlier copy, the numbers of changes are given again.
 */
export async function recordIncarnation({ incarnations }: ServerDb): Promise<void> {
  await incarnations.clear()
  await incarnations.add({ id: newId() })
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
