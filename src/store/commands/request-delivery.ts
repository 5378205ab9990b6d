import { emptyDraft, type SendDraft, validateDraft } from '#domain/deliveries/draft.ts'
import { itemDetailsOf } from '#domain/deliveries/item.ts'
import { placeOf } from '#domain/deliveries/places/place.ts'
import { Refusal } from '#domain/errors.ts'
import { networkFor } from '#domain/mobile-money/networks.ts'
import { parseAmount } from '#domain/money.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import type { Batch } from '#sync/database/group-commit.ts'
import { entryOf } from '#sync/outbox/enqueue.ts'
import { drawHandover } from '../deliveries/draw-handover.ts'
import { uploadOf } from '../deliveries/photos/upload-entry.ts'
import { createdRow } from '../deliveries/project.ts'
import { savePlaces } from '../deliveries/recent-places.ts'
import type { Entry } from '../entries/operations.ts'
import { activeSent, unconfirmedEnds } from '../queries/deliveries.ts'
import type { Session } from '../rows.ts'
import { currentSession, loginOf, zip } from '../session.ts'
import type { CommandContext } from './context.ts'

/** Asking for a delivery, and the photo's upload that it waits for. */
export function createRequestDelivery({ db, write, newEntry, newId, now }: CommandContext) {
  /** Queues the photo's upload and the create that depends on it. Returns the delivery's ID. */
  const requestDelivery = (draft: SendDraft, mode: 'guest' | 'account'): Promise<string> =>
    write.adding(async (batch) => {
      const problem = validateDraft(draft, mode)[0]
      const { photo } = draft
      if (problem || !photo) throw new Refusal('invalid', problem?.text)
      const [[session, stored], drafts] = await zip(
        zip(
          batch.once('session', () => currentSession(db)),
          batch.once(`photo ${photo}`, () => db.photos.get(photo)),
        ),
        batch.once('drafts', () => db.drafts.toArray()),
      )
      const account = mode === 'guest' ? guestAccount : session?.account
      if (!account) throw new Refusal('no-session')
      const ends = mode === 'account' ? await endsBefore(batch, session) : []
      const uploads = await uploadOf({ db, newEntry }, stored, account, draft)
      const id = newId()
      const drawn = drawHandover()
      const input = { ...inputOf(draft, mode, newId), ...drawn.hashes }
      const op = mode === 'guest' ? 'createGuestDelivery' : 'createDelivery'
      const create = entryOf<Entry>({
        ...newEntry(op, account, id, input, draft.itemDescription.trim()),
        id,
        after: [
          ...uploads.map((entry) => entry.id),
          ...ends,
          ...(draft.after ? [draft.after] : []),
        ],
        photos: [photo],
      })
      batch.put(db.outbox, ...uploads.map(entryOf), create)
      batch.put(db.deliveries, createdRow(create, session?.user))
      batch.put(db.handovers, { account, ID: id, secret: drawn.secret })
      if (mode === 'guest')
        batch.put(db.guests, {
          ...recordOf(id, draft, new Date(now()).toISOString()),
          ...loginOf(session),
        })
      const typist = session?.account ?? guestAccount
      // Another tab's form may have been typed in since (S81).
      const typed = drafts.find(({ account, kind }) => account === typist && kind === 'send')
      if (isSame(typed?.value, draft)) batch.delete(db.drafts, [typist, 'send'])
      await savePlaces(db, batch, { account: typist, draft, usedAt: now() })
      return id
    })

  /**
   * One delivery at a time, of a sender who has proved their phone. Returns the entries that end the one
   * before, where the server has not confirmed that: the request comes after them.
   */
  async function endsBefore(batch: Batch, session: Session | undefined): Promise<string[]> {
    if (!session?.user.Verified) throw new Refusal('unverified')
    await batch.flush()
    if (await activeSent(db)) throw new Refusal('active-delivery')
    return unconfirmedEnds(db)
  }

  return { requestDelivery }
}

const isSame = (stored: SendDraft | undefined, draft: SendDraft): boolean =>
  JSON.stringify({ ...emptyDraft, ...stored }) === JSON.stringify({ ...emptyDraft, ...draft })

const recordOf = (id: string, draft: SendDraft, createdAt: string) => ({
  id,
  senderName: draft.senderName.trim(),
  senderPhone: draft.senderPhone,
  createdAt,
  madeAt: createdAt,
})

function inputOf(draft: SendDraft, mode: 'guest' | 'account', newId: () => string) {
  const { senderName, senderPhone, ...rest } = { ...emptyDraft, ...draft }
  const [pickupPlace, dropoffPlace] = [placeOf(rest.pickupPlace), placeOf(rest.dropoffPlace)]
  const input = {
    itemDescription: rest.itemDescription.trim(),
    ...itemDetailsOf(rest),
    pickupZone: rest.pickupZone,
    dropoffZone: rest.dropoffZone,
    recipientName: rest.recipientName.trim(),
    recipientPhone: rest.recipientPhone,
    // The draft is valid.
    offer: parseAmount(rest.offer) ?? Number.NaN,
    photo: rest.photo ?? '',
    ...(pickupPlace ? { pickupPlace } : {}),
    ...(dropoffPlace ? { dropoffPlace } : {}),
    ...(rest.payer ? { payer: { ...rest.payer, network: networkFor(rest.payer) ?? '' } } : {}),
  }
  return mode === 'account'
    ? input
    : { ...input, senderName: senderName.trim(), senderPhone, guestSecret: newId() + newId() }
}
