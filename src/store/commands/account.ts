import { isPartyTo } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import type { NotificationChange } from '#domain/notifications/kinds.ts'
import type { Commute } from '#domain/users/commute.ts'
import { assertCommutes } from '#domain/users/commutes.ts'
import { licencesAfter } from '#domain/users/licence.ts'
import type { NotificationSettings } from '#domain/users/notification-settings.ts'
import { phoneProblem } from '#domain/users/phone.ts'
import { isApprovedDriver } from '#domain/users/user.ts'
import type { InputOf } from '#operations/index.ts'
import { changeDataSaver } from '#sync/database/device/data-saver.ts'
import type { DeviceState } from '#sync/database/device/state.ts'
import { ended, mayHaveArrived } from '#sync/database/entry.ts'
import { type NotificationChoice, saveNotificationChoice } from '../account/notifications.ts'
import { uploadOf } from '../deliveries/photos/upload-entry.ts'
import { wasCreateRefused } from '../deliveries/project.ts'
import { enqueueEntries } from '../deliveries/projection.ts'
import { reportLane } from '../entries/new-entry.ts'
import { notificationSettings } from '../queries/account/notification-state.ts'
import { ownCommutes } from '../queries/account/own-commutes.ts'
import { deliveryRowAndSession } from '../queries/deliveries.ts'
import type { PendingOperation, Session } from '../rows.ts'
import { actorOf } from '../session.ts'
import type { CommandContext } from './context.ts'

/** What makes somebody a delivery's sender, or its driver. */
const makesParty = new Set<PendingOperation['op']>([
  'createDelivery',
  'createGuestDelivery',
  'acceptDelivery',
])

/** Commutes share this lane, because an entry of the version before changes them by the routes of the notifications. */
const settingsLane = 'notifications:settings'

/** What a person does about their own account, and what they report. Refusals at once: no-session, invalid, not-found. */
export function createAccountCommands({ db, now, waits, newEntry, write }: CommandContext) {
  async function mustBeSomebody(): Promise<Session> {
    const session = await db.sessions.get('current')
    if (!session) throw new Refusal('no-session')
    return session
  }

  /** Cancels earlier changes of the phone number that were never sent; the new one follows those that may have arrived (S37). */
  async function overtake(account: string) {
    const waiting = await db.outbox.where('[account+state]').equals([account, 'waiting']).toArray()
    const never = waiting.filter((entry) => entry.op === 'changePhone' && !mayHaveArrived(entry))
    await db.outbox.bulkPut(never.map((entry) => ended(entry, 'cancelled', now())))
  }

  return {
    /** The person's report about a delivery; `issue` in their words. */
    reportIssue: (id: string, issue: string): Promise<void> =>
      write(async () => {
        if (issue.trim() === '') throw new Refusal('invalid', 'Please describe the issue.')
        const { row, session } = await deliveryRowAndSession(db, id, now())
        if (!row || wasCreateRefused(row)) throw new Refusal('not-found')
        const actor = actorOf(session, row.account, row.ID)
        if (!actor || !isPartyTo(row.view, actor)) throw new Refusal('not-allowed')
        const driving = row.view.driver?.id === row.account
        const type = driving ? 'driver_issue' : 'sender_issue'
        const input = { id: row.ID, issue: issue.trim(), type } as const
        // What makes this person a party to it has to be through first.
        const parents = row.marks.filter(
          ({ op, state }) => makesParty.has(op) && state !== 'refused',
        )
        // The report would block an approval that was given before it (R108).
        const approvals = row.marks.filter(
          ({ op, state }) => op === 'approveDelivery' && state !== 'refused',
        )
        const { account, ID, view } = row
        const title = view.itemDescription
        const entry = newEntry('reportIssue', account, reportLane(ID), input, title)
        const idOf = (mark: { entry: string }) => mark.entry
        const order = { after: parents.map(idOf), follows: approvals.map(idOf) }
        await enqueueEntries(db, [{ ...entry, ...order }])
      }),

    changePhone: (phone: string): Promise<void> =>
      write(async () => {
        const problem = phoneProblem(phone)
        if (problem) throw new Refusal('invalid', problem)
        const { account } = await mustBeSomebody()
        await overtake(account)
        const input = { phone_number: phone }
        await enqueueEntries(db, [newEntry('changePhone', account, 'account', input, phone)])
      }),

    /** Takes back a change that was not confirmed: the number that counts is asked for again. */
    withdrawPhoneChange: (): Promise<void> =>
      write(async () => {
        const { account, user } = await mustBeSomebody()
        await overtake(account)
        const input = { phone_number: user.phone_number, keeps: true } as const
        await enqueueEntries(db, [
          newEntry('changePhone', account, 'account', input, user.phone_number),
        ])
      }),

    /**
     * What a driver shows to senders (R114); a missing field stays, an empty one is removed. `photo`: on this
     * phone. Throws `invalid` for a licence without its number or its day.
     */
    changeDriverCard: (card: InputOf<'changeDriverCard'>): Promise<void> =>
      write(async () => {
        const { account, user } = await mustBeSomebody()
        if (user.role !== 'driver') throw new Refusal('not-a-driver')
        const shown = user.licencePending ?? user.licence
        const number = card.licenceNumber ?? shown?.number ?? ''
        const expires = card.licenceExpires ?? shown?.expires ?? ''
        if ((number === '') !== (expires === ''))
          throw new Refusal('invalid', 'A licence needs its number and its last day.')
        const driver = { licence: user.licence, isApproved: isApprovedDriver(user) }
        const entered = number === '' ? undefined : { number, expires }
        if ((card.licenceNumber ?? card.licenceExpires) !== undefined)
          licencesAfter(driver, entered, new Date(now()).toISOString())
        const photo = card.photo ? await db.photos.get(card.photo) : undefined
        const about = { itemDescription: user.name }
        const uploads = card.photo ? await uploadOf({ db, newEntry }, photo, account, about) : []
        const entry = newEntry('changeDriverCard', account, 'driver card', card, user.name)
        await enqueueEntries(db, [
          ...uploads,
          {
            ...entry,
            after: uploads.map(({ id }) => id),
            photos: card.photo ? [card.photo] : [],
          },
        ])
      }),

    /** Whether this phone is told with the app closed; the server hears of it when it can be reached (S61). */
    chooseNotifications: (choice: NotificationChoice): Promise<void> =>
      saveNotificationChoice(db, choice),

    /** What this device may spend of its data (S62). */
    changeDataSaver: (change: DeviceState['dataSaver']): Promise<void> =>
      changeDataSaver(db, change),

    /**
     * What this person is told of on all their devices (R121). Where the change depends on what is chosen now, as a list
     * does, it is made from that here: a screen may still show what was before the last tap.
     */
    changeNotifications: (
      change: NotificationChange | ((now: NotificationSettings) => NotificationChange),
    ): Promise<void> =>
      write(async () => {
        const { account, user } = await mustBeSomebody()
        const { settings } = await notificationSettings(db)
        const input = typeof change === 'function' ? change(settings) : change
        await enqueueEntries(db, [
          newEntry('changeNotifications', account, settingsLane, input, user.name),
        ])
      }),

    /**
     * A driver's commutes (R166), made from those of now. Resolves to the entry's ID. `holdFor`: milliseconds in which it
     * can be undone (R99). Refusals: not-a-driver, and those of `assertCommutes`.
     */
    changeCommutes: (
      change: (now: readonly Commute[]) => Commute[],
      { holdFor }: { holdFor?: number } = {},
    ): Promise<string> =>
      write(async () => {
        const { account, user } = await mustBeSomebody()
        if (user.role !== 'driver') throw new Refusal('not-a-driver')
        const { commutes: before } = await ownCommutes(db)
        const commutes = change(before)
        const zones = await db.zones.toArray()
        assertCommutes(
          commutes,
          zones.map(({ Name }) => Name),
          before,
        )
        const entry = newEntry('changeCommutes', account, settingsLane, { commutes }, user.name)
        const hold = holdFor === undefined ? undefined : waits.hold(entry.id, holdFor)
        await enqueueEntries(db, [hold ? { ...entry, hold } : entry])
        return entry.id
      }),

    /** Signs this person out on another device; `id` from the list of their sessions. */
    endSession: (id: string): Promise<void> =>
      write(async () => {
        const { account } = await mustBeSomebody()
        const ending = await db.ownSessions.get([account, id])
        if (!ending || ending.current) throw new Refusal('not-found')
        await enqueueEntries(db, [
          newEntry('endSession', account, `session:${id}`, { id }, ending.device),
        ])
      }),
  }
}
