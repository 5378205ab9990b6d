import type { Attempt } from '#domain/deliveries/endings/returns.ts'
import { Refusal } from '#domain/errors.ts'
import { shortPrice } from '#domain/money.ts'
import type { InputOf } from '#operations/index.ts'
import type { Details } from '#operations/operation.ts'
import { getState, putState } from '#sync/database/device/state.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { resolveId } from '#sync/outbox/credentials.ts'
import { signGuestOff } from '../account/guest-records.ts'
import { uploadOf } from '../deliveries/photos/upload-entry.ts'
import { expectedView, uncheckedCode } from '../deliveries/project.ts'
import { minOffer } from '../queries/config/min-offer.ts'
import { deliveryRow } from '../queries/deliveries.ts'
import { createAct } from './act.ts'
import type { CommandContext } from './context.ts'
import { createOutboxActions } from './outbox-actions.ts'

/** `holdFor`: milliseconds in which the person can still change their mind (R99). */
type Hold = { holdFor?: number }

type Approval = Details<InputOf<'approveDelivery'>> & { stars?: number }

/** What is done about one delivery. */
export function createDeliveryCommands(context: CommandContext) {
  const { db, now, newEntry, write } = context
  const act = createAct(context)
  const { discard } = createOutboxActions(context)
  /** What the driver does at the door instead replaces digits that wait to be checked. */
  const takeBackCode = async (id: string) => {
    const row = await deliveryRow(db, id, now())
    const code = row && uncheckedCode(row)
    if (code && !code.withdrawal) await discard(code.entry)
  }
  return {
    /** The sender or guest offers more (R169), also for a request that is not sent yet. `offer`: in cedis. */
    raiseOffer: async (id: string, offer: number) => {
      const least = await minOffer(db)
      if (offer < least)
        throw new Refusal('invalid', `Enter an offer of at least ${shortPrice(least)}`)
      const dependsOn = ['createDelivery', 'createGuestDelivery'] as const
      return act('raiseOffer', id, { input: { offer }, dependsOn })
    },
    acceptDelivery: (id: string) => act('acceptDelivery', id),
    pickUpDelivery: (id: string) => act('pickUpDelivery', id),
    /**
     * A report that is not sent yet goes first, and then stands in its way (R108). `stars`: a guest's rating, queued with it,
     * because their record ends with it (R58).
     */
    approveDelivery: (id: string, { stars, ...input }: Approval = {}) =>
      write(async (batch) => {
        const entry = await act('approveDelivery', id, { input, followsReports: true }, batch)
        await batch.flush()
        await db.guests.update(await resolveId(db, guestAccount, id), { isApproved: true })
        if (stars !== undefined) await act('rateDelivery', id, { input: { stars } }, batch)
        return entry
      }),

    /** `code`: exactly five characters (R25), also the sender's own (R105). Only the server can check it (R50). */
    completeDelivery: (id: string, code: string) => {
      if (code === '') throw new Refusal('wrong-code', 'Please enter the delivery code')
      return act('completeDelivery', id, {
        input: { code },
        details: ({ view }) => (view.returning ? { returning: true } : {}),
      })
    },

    /** `handoverSecret`: as the recipient's QR code has it, which this phone has compared (R110). */
    proveHandover: async (id: string, handoverSecret: string) => {
      await takeBackCode(id)
      return act('completeDelivery', id, { input: { handoverSecret } })
    },

    /** The driver gives the job back (R101), who can report nothing about it from then on. */
    releaseJob: (id: string, reason: string) =>
      act('releaseJob', id, { input: { reason }, followsReports: true }),

    /** The sender says that the driver has not picked the item up (R125), and may request anew. */
    contestPickUp: (id: string, reason: string) => {
      if (reason.trim() === '') throw new Refusal('invalid', 'Please say what happened.')
      return act('contestPickUp', id, { input: { reason: reason.trim() } })
    },

    /** The driver could not hand the parcel over (R102). `photo`: on this phone. `wait`: milliseconds. */
    reportAttempt: async (id: string, { photo, ...input }: Attempt & { wait?: number }) => {
      await takeBackCode(id)
      return act('reportAttempt', id, {
        input,
        photo,
        uploads: async ({ account, view }) =>
          photo ? uploadOf({ db, newEntry }, await db.photos.get(photo), account, view) : [],
      })
    },

    /** The driver brings the parcel back (R104). */
    startReturn: async (id: string, note: string | undefined, { holdFor }: Hold = {}) => {
      await takeBackCode(id)
      return act('startReturn', id, { input: { note }, holdFor })
    },

    /** The driver has not received what the sender says they paid (R171). */
    reportUnpaid: (id: string) => act('reportUnpaid', id),

    /** The sender has the parcel back (R105). */
    confirmReturn: (id: string) => act('confirmReturn', id),

    /** The sender gives the delivery a new code, which the server draws: until then there is none to show (R135, S67). */
    renewCode: (id: string) =>
      act('renewCode', id, { details: ({ view }) => ({ newCodes: view.newCodes ?? 0 }) }),

    /** One side rates the other (R113). */
    rateDelivery: (id: string, rating: { stars: number; words?: string }, { holdFor }: Hold = {}) =>
      act('rateDelivery', id, {
        input: rating,
        holdFor,
      }),

    /** The driver's photo of the hand-over (R28). What its request says is fixed now (S43). */
    attachProof: (id: string, photo: string): Promise<string> =>
      act('attachProof', id, {
        photo,
        details: (row) => ({ status: expectedView(row).status }),
        dependsOn: ['completeDelivery'],
        uploads: async ({ account, view }) =>
          uploadOf({ db, newEntry }, await db.photos.get(photo), account, view),
      }),

    /** A request that never left is taken back here; one the server knows is cancelled there (R27, R161). */
    cancelDelivery: async (id: string, reason = ''): Promise<void> => {
      const row = await deliveryRow(db, id, now())
      if (!row) throw new Refusal('not-found')
      const create = row.marks.find(
        (mark) => mark.op === 'createDelivery' || mark.op === 'createGuestDelivery',
      )
      if (!row.known && create) await discard(create.entry)
      else
        await act('cancelDelivery', id, { input: reason.trim() ? { reason: reason.trim() } : {} })
    },

    /** The person has seen how these entries ended. */
    sawOutcomes: (entries: readonly string[]): Promise<void> =>
      db.transaction('rw', db.outbox, async () => {
        const found = await db.outbox.where('id').anyOf(entries).toArray()
        await db.outbox.bulkPut(found.map((entry) => ({ ...entry, unseen: undefined })))
      }),

    /** The person has been told of what others did (R100): of these deliveries, and of their driver status. */
    sawAnnouncements: (ids: readonly string[]): Promise<void> =>
      db.transaction('rw', [db.deliveries, db.sessions, db.meta], async () => {
        const session = await db.sessions.get('current')
        if (session?.toldStatus) await db.sessions.put({ ...session, toldStatus: undefined })
        const accounts = new Set([guestAccount, ...(session ? [session.account] : [])])
        for (const account of accounts)
          for (const id of ids) {
            await db.deliveries.update([account, id], (row) => {
              delete row.unseen
            })
            const taken = `taken:${account}:${id}` as const
            const job = await getState(db, taken)
            if (job) await putState(db, taken, { ...job, seen: true })
          }
      }),

    forgetSetAside: (id: number): Promise<void> => db.setAside.delete(id),

    /** When the guest has approved and is done with it (R58); what waits to be sent still has its token (S11). */
    forgetGuestRecord: (id: string): Promise<void> =>
      write(async () => signGuestOff(db, await resolveId(db, guestAccount, id), now())),
  }
}
