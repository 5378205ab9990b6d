import { v7 } from 'uuid'
import type { User } from '#domain/users/user.ts'
import { sendModel } from '#store/model/requests.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import { realClock, type SyncContext, webLocks } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { uploadByXhr } from '#sync/platform/upload-xhr.ts'
import { drain } from '#sync/push/sender.ts'
import { rowAt, sender } from '../rows.ts'
import { draftAt, freshPhone, timed } from './phone.ts'
import { rowOf } from './raw.ts'

const driver: User = { ...sender, role: 'driver', driverStatus: 'approved' }

/**
 * What a driver did in a dead zone, sent at once: accepted a job, picked it up, handed it over against its
 * code with a photo, and two requests with photos of somebody beside them.
 */
export async function deadZone(): Promise<number> {
  const { db, commands } = await freshPhone({ signedIn: true })
  await db.sessions.put({
    key: 'current',
    account: driver.ID,
    token: 'a-token-of-the-usual-length-000000000000',
    user: driver,
  })
  const { sender: _, deliveryCode: __, ...job } = rowAt(0)
  const offer = { ...job, status: 'Pending' as const, history: [] }
  await db.deliveries.put({ ...rowOf(offer), sentAt: undefined, openAt: offer.createdAt })
  await commands.acceptDelivery(offer.ID)
  await commands.pickUpDelivery(offer.ID)
  await commands.completeDelivery(offer.ID, '12345')
  const photo = () => commands.savePhoto(new ArrayBuffer(80_000), 'image/jpeg')
  await commands.attachProof(offer.ID, await photo())
  for (const each of [1, 2]) await commands.requestDelivery(draftAt(each, await photo()), 'guest')
  const took = await timed(() => drain(contextOf(db), sendModel))
  const left = await db.outbox.where('state').notEqual('done').toArray()
  if (left.length > 0)
    throw new Error(`Not sent: ${left.map(({ op, error }) => `${op} ${error?.message}`)}`)
  await db.delete()
  return took
}

const contextOf = (db: SomaDb): SyncContext<SomaDb> => ({
  db,
  cachePrefix: '',
  base: new URL('/api', location.href).href,
  traffic: createTrafficMeter(),
  transport: (request) => fetch(request),
  upload: uploadByXhr,
  clock: realClock,
  waits: createWaits(realClock),
  random: Math.random,
  newId: v7,
  locks: webLocks,
  holder: v7(),
})
