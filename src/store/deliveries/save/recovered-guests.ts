import type { Delivery } from '#domain/deliveries/delivery.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { triedNow } from '#sync/database/entry.ts'
import { currentSession, loginOf } from '../../session.ts'
import type { SomaDb } from '../../soma-db.ts'
import { saveDelivery } from './account-rows.ts'
import type { FullResponse } from './full-responses.ts'

type Recovered = { delivery: Delivery; guestToken: string }

/**
 * Stores deliveries that a guest got back with a code (R109), each with the record and the token that its
 * request would have left here. The day in which the phone shows them (R58) begins anew.
 */
export async function saveRecoveredGuests(
  db: SomaDb,
  phone: string,
  recovered: readonly Recovered[],
  times: Omit<FullResponse, 'account'>,
): Promise<void> {
  const madeAt = new Date(times.now).toISOString()
  await db.transaction('rw', db.tables, async () => {
    const login = loginOf(await currentSession(db))
    for (const { delivery, guestToken } of recovered) {
      await db.guests.put({
        id: delivery.ID,
        senderName: delivery.sender?.name ?? delivery.senderName ?? '',
        senderPhone: phone,
        createdAt: delivery.createdAt,
        madeAt,
        guestToken,
        ...login,
      })
      await sendOn(db, delivery.ID)
      await saveDelivery(db, delivery.ID, delivery, { ...times, account: guestAccount })
    }
  })
}

/** What waited for a token that the server takes (S74). */
const sendOn = (db: SomaDb, id: string) =>
  db.outbox
    .where('state')
    .equals('parked')
    .filter(({ account, error, input }) => {
      const isOf = account === guestAccount && 'id' in input && input.id === id
      return isOf && error?.reason === 'moved'
    })
    .modify({ ...triedNow, error: undefined })
