import type { Actor, Delivery } from '#domain/delivery.ts'
import type { SendDraft } from '#domain/draft.ts'
import { Refusal } from '#domain/errors.ts'
import { foresee } from '#domain/intent.ts'
import { actorOf, currentAccount, resolveId } from '../account/account.ts'
import { guestAccount } from '../database/engine-db.ts'
import { createWrite } from '../database/group-commit.ts'
import { lazily, named } from '../lazy-methods.ts'
import { ended, enqueue, entryMaker, outboxTables } from '../outbox/enqueue.ts'
import { uploadOf } from '../outbox/photo-entry.ts'
import { activeJob, isSending, room, roomAndSession } from '../queries/queries.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import { createAdminCommands } from './lazy-admin.ts'

type Tools = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  /** UUIDv7. */
  newId: () => string
}

export type Commands = ReturnType<typeof createCommands>

/**
 * Everything a person can do. A command that queues writes the row and the outbox entry in one
 * transaction and resolves when both are durable; it throws the rule's `Refusal` when the rule
 * forbids at once what the person asked.
 */
export function createCommands({ db, now, newId }: Tools) {
  const moment = () => new Date(now()).toISOString()
  const tables = [
    ...outboxTables(db),
    db.drafts,
    db.zones,
    db.items,
    db.users,
    db.drivers,
    db.disputes,
    db.ownSessions,
  ]
  const write = createWrite(db, tables)

  const newEntry = entryMaker(newId, moment)

  const request = lazily(async () => {
    const { createRequest } = await import('./request-delivery.ts')
    return createRequest({ db, write, newEntry, newId, moment })
  })

  const repairs = lazily(async () => {
    const { createRepairs } = await import('./outbox-actions.ts')
    return createRepairs({ db, now, newId, write })
  })

  const person = lazily(async () => {
    const { createPersonCommands } = await import('./account.ts')
    return createPersonCommands({ db, now, newEntry, write })
  })

  /** The actions on a delivery, with the code or the photo some of them carry. */
  const actOn = (op: DeliveryOp, id: string, more: { code?: string; photo?: string } = {}) =>
    write(async (batch) => {
      const { row, session } = await roomAndSession(db, id, now(), op === 'acceptDelivery')
      if (!row) throw new Refusal('not-found')
      const actor = actorOf(session, row.account, row.ID)
      await mustAllow(op, row.view, actor)
      await supersede(op, row)
      const ready = more.photo
        ? await uploadOf({ db, newEntry }, await db.photos.get(more.photo), row.account, row.view)
        : []
      const act = newEntry(
        op,
        row.account,
        row.ID,
        { id: row.ID, ...more },
        row.view.itemDescription,
      )
      const entry = { ...act, after: ready.map(({ id }) => id), photos: photosOf(more) }
      await enqueue(db, [...ready, entry], { row, actor, batch })
      return act.id
    })

  /** Doing it again answers for the time it was refused. */
  async function supersede(op: DeliveryOp, { marks }: DeliveryRow) {
    const refused = marks.filter((mark) => mark.op === op && mark.state === 'refused')
    if (refused.length === 0) return
    const entries = await db.outbox
      .where('id')
      .anyOf(refused.map(({ entry }) => entry))
      .toArray()
    await db.outbox.bulkPut(entries.map((entry) => ended(entry, 'cancelled', now())))
  }

  async function mustHave(id: string) {
    const row = await room(db, id, now())
    if (!row) throw new Refusal('not-found')
    return row
  }

  /** Asks the domain first, so that a person hears a "no" they can act on without waiting. */
  async function mustAllow(op: DeliveryOp, view: Delivery, actor: Actor | undefined) {
    if (!actor) throw new Refusal('no-session')
    if (op === 'acceptDelivery' && (await activeJob(db))) throw new Refusal('active-job')
    const intent = op === 'attachProof' ? { op, proofOfDelivery: '' } : { op }
    foresee(view, intent, actor, { at: moment() })
  }

  return {
    /** Called as the person types; its own small writes never wait for the outbox's. */
    saveDraft: async (draft: SendDraft): Promise<void> => {
      await db.drafts.put({ account: await currentAccount(db), kind: 'send', value: draft })
    },

    clearDraft: async (): Promise<void> => db.drafts.delete([await currentAccount(db), 'send']),

    /**
     * Writes the bytes of a photo, which this app has drawn itself, and resolves once they are durable:
     * show the preview only then.
     */
    keepPhoto: async (bytes: ArrayBuffer, type: string): Promise<string> => {
      const id = newId()
      const whose = await currentAccount(db)
      await db.photos.add({ id, account: whose, bytes, type, keptAt: now(), redrawn: true })
      return id
    },

    ...named(request, 'requestDelivery'),

    acceptDelivery: (id: string) => actOn('acceptDelivery', id),
    pickUpDelivery: (id: string) => actOn('pickUpDelivery', id),
    approveDelivery: (id: string) => actOn('approveDelivery', id),

    /** `code`: exactly five characters (spec §5); whether it is right only the server can say. */
    completeDelivery: (id: string, code: string) => {
      if (code === '') throw new Refusal('wrong-code', 'Please enter the delivery code')
      return actOn('completeDelivery', id, { code })
    },
    attachProof: (id: string, photo: string) => actOn('attachProof', id, { photo }),

    /** A request that never left is simply taken back; one the server knows is cancelled there. */
    cancelDelivery: async (id: string): Promise<void> => {
      const row = await mustHave(id)
      const create = row.marks.find(
        (mark) => mark.op === 'createDelivery' || mark.op === 'createGuestDelivery',
      )
      const neverSent = !row.known && create && !(await isSending(db, create.entry))
      const isOurs = create?.state === 'waiting' || create?.state === 'refused'
      if (neverSent && isOurs) await repairs.discard(create.entry)
      else await actOn('cancelDelivery', id)
    },

    ...named(person, 'reportIssue', 'changePhone', 'keepPhone', 'endSession'),

    ...createAdminCommands({ db, write, newEntry }),

    /** The person has been shown how this entry ended. */
    sawOutcome: async (entry: string): Promise<void> => {
      await db.outbox.where('id').equals(entry).modify({ unseen: undefined })
    },

    forgetSetAside: (id: number): Promise<void> => db.setAside.delete(id),

    /** Spec §4: cleared after a guest approves. */
    forgetGuestRecord: (id: string): Promise<void> =>
      write(async () => db.guests.delete(await resolveId(db, guestAccount, id))),

    /** What a person can do about an entry that waits or was refused. */
    ...named(repairs, 'retry', 'discard', 'editAndResend'),
  }
}

type DeliveryOp =
  | 'acceptDelivery'
  | 'pickUpDelivery'
  | 'completeDelivery'
  | 'attachProof'
  | 'approveDelivery'
  | 'cancelDelivery'

const photosOf = ({ photo }: { photo?: string }) => (photo ? [photo] : [])
