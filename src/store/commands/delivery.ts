import { Refusal } from '#domain/errors.ts'
import { resolveId } from '../account/aliases.ts'
import { guestAccount } from '../database/engine-db.ts'
import { uploadOf } from '../deliveries/photos/upload-entry.ts'
import { deliveryRow } from '../queries/deliveries.ts'
import { isSending } from '../queries/outbox.ts'
import { createAct } from './act.ts'
import type { CommandContext } from './context.ts'
import { createOutboxActions } from './outbox-actions.ts'

/** What is done about one delivery. */
export function createDeliveryCommands(context: CommandContext) {
  const { db, now, newEntry, write } = context
  const act = createAct(context)
  const { discard } = createOutboxActions(context)
  return {
    /** `holdFor`: milliseconds in which the driver can still change their mind (R99). */
    acceptDelivery: (id: string, { holdFor }: { holdFor?: number } = {}) =>
      act('acceptDelivery', id, { holdFor }),
    pickUpDelivery: (id: string) => act('pickUpDelivery', id),
    approveDelivery: (id: string) => act('approveDelivery', id),

    /** `code`: exactly five characters (R25). Only the server can check it (R50). */
    completeDelivery: (id: string, code: string) => {
      if (code === '') throw new Refusal('wrong-code', 'Please enter the delivery code')
      return act('completeDelivery', id, { code })
    },

    /** The driver's photo of the hand-over (R28). What its request says is fixed now (S43). */
    attachProof: (id: string, photo: string): Promise<string> =>
      act('attachProof', id, {
        photo,
        details: ({ view }) => ({ status: view.status }),
        dependsOn: 'completeDelivery',
        uploads: async ({ account, view }) =>
          uploadOf({ db, newEntry }, await db.photos.get(photo), account, view),
      }),

    /** A request that never left is taken back here; one the server knows is cancelled there (R27). */
    cancelDelivery: async (id: string): Promise<void> => {
      const row = await deliveryRow(db, id, now())
      if (!row) throw new Refusal('not-found')
      const create = row.marks.find(
        (mark) => mark.op === 'createDelivery' || mark.op === 'createGuestDelivery',
      )
      const neverSent = !row.known && create && !(await isSending(db, create.entry))
      const isOurs = create?.state === 'waiting' || create?.state === 'refused'
      if (neverSent && isOurs) await discard(create.entry)
      else await act('cancelDelivery', id)
    },

    /** The person has seen how these entries ended. */
    sawOutcomes: (entries: readonly string[]): Promise<void> =>
      db.transaction('rw', db.outbox, async () => {
        const found = await db.outbox.where('id').anyOf(entries).toArray()
        await db.outbox.bulkPut(found.map((entry) => ({ ...entry, unseen: undefined })))
      }),

    /** The person has been told of what others did (R100): of these deliveries, and of their driver status. */
    sawAnnouncements: (ids: readonly string[]): Promise<void> =>
      db.transaction('rw', [db.deliveries, db.sessions], async () => {
        const session = await db.sessions.get('current')
        if (session?.toldStatus) await db.sessions.put({ ...session, toldStatus: undefined })
        const accounts = new Set([guestAccount, ...(session ? [session.account] : [])])
        for (const account of accounts)
          for (const id of ids)
            await db.deliveries.update([account, id], (row) => {
              delete row.unseen
            })
      }),

    forgetSetAside: (id: number): Promise<void> => db.setAside.delete(id),

    /** Two seconds after the guest approved (R58). */
    forgetGuestRecord: (id: string): Promise<void> =>
      write(async () => db.guests.delete(await resolveId(db, guestAccount, id))),
  }
}
