import { emptyDraft, type SendDraft } from '#domain/deliveries/draft.ts'
import { itemDetailsOf } from '#domain/deliveries/item.ts'
import { Refusal } from '#domain/errors.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { pinPhoto } from '../deliveries/photos/pinned-photos.ts'
import { deliveryRow } from '../queries/deliveries.ts'
import type { DeliveryRow } from '../rows.ts'
import type { CommandContext } from './context.ts'

/** Puts a delivery that ended back into the form, as a new request. */
export function createSendAgain({ db, now, newId, write }: CommandContext) {
  /**
   * Fills the draft from a delivery of this person; works offline too. A photo that is hosted already is named
   * again and not sent a second time. Throws `not-found`. Resolves to whether the draft has a photo.
   */
  const sendAgain = (id: string): Promise<boolean> =>
    write(async () => {
      const row = await deliveryRow(db, id, now())
      if (!row) throw new Refusal('not-found')
      const session = await db.sessions.get('current')
      const account = session?.account ?? guestAccount
      const photo = await photoOf(row, account)
      await db.drafts.put({ account, kind: 'send', value: { ...draftOf(row), photo } })
      return photo !== undefined
    })

  /** The photo as a request names it: its bytes where this phone has them, else its address alone. */
  async function photoOf(row: DeliveryRow, account: string): Promise<string | undefined> {
    if (row.photo && (await db.photos.get(row.photo))) return row.photo
    if (!row.view.itemPhoto) return undefined
    const id = newId()
    pinPhoto(db, id)
    const bytes = new ArrayBuffer(0)
    const url = row.view.itemPhoto
    await db.photos.put({ id, account, bytes, type: 'image/jpeg', keptAt: now(), url })
    return id
  }

  return { sendAgain }
}

function draftOf({ view }: DeliveryRow): SendDraft {
  return {
    ...emptyDraft,
    itemDescription: view.itemDescription,
    ...itemDetailsOf(view),
    pickupZone: view.pickupZone,
    dropoffZone: view.dropoffZone,
    recipientName: view.recipientName ?? '',
    recipientPhone: view.recipientPhone ?? '',
    offer: String(view.offer),
    senderName: view.sender?.name ?? view.senderName ?? '',
    senderPhone: view.sender?.phone ?? view.senderPhone ?? '',
    ...(view.pickupPlace ? { pickupPlace: view.pickupPlace } : {}),
    ...(view.dropoffPlace ? { dropoffPlace: view.dropoffPlace } : {}),
  }
}
