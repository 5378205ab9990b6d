import type { Delivery } from '#domain/deliveries/delivery.ts'
import { ended } from '../../outbox/entry.ts'
import { dependantsOf } from '../../outbox/unsent.ts'
import type { SomaDb } from '../../soma-db.ts'
import type { Entry } from '../operations.ts'
import { projectLanes } from '../projection.ts'
import { hasHappened } from './has-happened.ts'
import { takenBack } from './taken-back-lists.ts'

/** The first answer may have been asked for before the request arrived. */
const answersThatCount = 2

/**
 * Ends what is being taken back, by the row the server has now: done where it shows the effect,
 * cancelled where two answers do not (S56). `row` is missing where the server has none. `now`:
 * milliseconds since 1970. Inside the transaction that saves the answer.
 */
export async function settleTakenBack(
  db: SomaDb,
  { account, id }: { account: string; id: string },
  row: Delivery | undefined,
  now: number,
): Promise<void> {
  const entries = (await takenBack(db)).filter(
    (entry) => entry.account === account && entry.lane === id,
  )
  if (entries.length === 0) return
  const changed: Entry[] = []
  for (const entry of entries) changed.push(...(await settled(db, entry, row, now)))
  await db.outbox.bulkPut(changed)
  await projectLanes(db, changed)
}

async function settled(
  db: SomaDb,
  entry: Entry,
  row: Delivery | undefined,
  now: number,
): Promise<Entry[]> {
  const photo = entry.photos[0] === undefined ? undefined : await db.photos.get(entry.photos[0])
  if (row && hasHappened(entry, row, photo?.url)) return [ended(entry, 'done', now)]
  const answersWithout = (entry.answersWithout ?? 0) + 1
  if (answersWithout < answersThatCount) return [{ ...entry, answersWithout }]
  const lost = (await dependantsOf(db, entry)) as Entry[]
  return [entry, ...lost].map((each) => ended(each, 'cancelled', now))
}
