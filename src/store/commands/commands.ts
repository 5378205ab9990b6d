import type { Actor, Delivery } from '#domain/delivery.ts'
import type { SendDraft } from '#domain/draft.ts'
import { Refusal } from '#domain/errors.ts'
import { predict } from '#domain/permissions.ts'
import { actorOf, currentAccount } from '../account/account.ts'
import { resolveId } from '../account/aliases.ts'
import { guestAccount } from '../database/engine-db.ts'
import { createGroupCommit } from '../database/group-commit.ts'
import { entryMaker } from '../deliveries/new-entry.ts'
import { deliveryTables, enqueueForRow } from '../deliveries/projection.ts'
import { uploadOf } from '../deliveries/upload-entry.ts'
import { lazyMethods } from '../lazy-methods.ts'
import { ended } from '../outbox/entry.ts'
import { activeJob, isSending, room, roomAndSession } from '../queries/queries.ts'
import type { DeliveryRow } from '../rows.ts'
import type { SomaDb } from '../soma-db.ts'
import type { CommandContext } from './context.ts'
import type { LazyCommands } from './lazy.ts'

type About = {
  db: SomaDb
  /** Milliseconds since 1970. */
  now: () => number
  /** UUIDv7. */
  newId: () => string
  /** The part of the app that a visitor's first page does without. */
  loadLazy: () => Promise<{ createLazyCommands: (context: CommandContext) => LazyCommands }>
}

export type Commands = ReturnType<typeof createCommands>

/**
 * Everything a person can do. A command that queues writes the row and the outbox entry in one
 * transaction and resolves when both are durable; it throws the rule's `Refusal` when the rule
 * forbids at once what the person asked.
 */
export function createCommands({ db, now, newId, loadLazy }: About) {
  const moment = () => new Date(now()).toISOString()
  const tables = [
    db.outbox,
    ...deliveryTables(db),
    db.drafts,
    db.zones,
    db.items,
    db.users,
    db.drivers,
    db.disputes,
    db.ownSessions,
  ]
  const write = createGroupCommit(db, tables)

  const newEntry = entryMaker(newId, moment)

  const context = { db, now, newId, write, newEntry }
  let loaded: LazyCommands | undefined
  const lazyCommands = lazyMethods(async () => {
    const { createLazyCommands } = await loadLazy()
    loaded ??= createLazyCommands(context)
    return loaded
  }, [
    'requestDelivery',
    'retry',
    'discard',
    'editAndResend',
    'reportIssue',
    'changePhone',
    'keepPhone',
    'endSession',
    'reviewDriver',
    'resolveDispute',
    'addZone',
    'removeZone',
    'addItem',
    'removeItem',
    'logToConsole',
  ])

  /** The actions on a delivery, with the code or the photo some of them carry. */
  const actOn = (op: DeliveryOp, id: string, more: { code?: string; photo?: string } = {}) =>
    write(async (batch) => {
      const { row, session } = await roomAndSession(db, id, now(), op === 'acceptDelivery')
      if (!row) throw new Refusal('not-found')
      const actor = actorOf(session, row.account, row.ID)
      await mustAllow(op, row.view, actor)
      await cancelRefused(op, row)
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
      await enqueueForRow(db, [...ready, entry], { row, actor, batch })
      return act.id
    })

  /** Doing it again answers for the time it was refused. */
  async function cancelRefused(op: DeliveryOp, { marks }: DeliveryRow) {
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
    predict(view, intent, actor, { at: moment() })
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
      if (neverSent && isOurs) await lazyCommands.discard(create.entry)
      else await actOn('cancelDelivery', id)
    },

    /** The person has been shown how this entry ended. */
    sawOutcome: async (entry: string): Promise<void> => {
      await db.outbox.where('id').equals(entry).modify({ unseen: undefined })
    },

    forgetSetAside: (id: number): Promise<void> => db.setAside.delete(id),

    /** Spec §4: cleared after a guest approves. */
    forgetGuestRecord: (id: string): Promise<void> =>
      write(async () => db.guests.delete(await resolveId(db, guestAccount, id))),

    ...lazyCommands,
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
