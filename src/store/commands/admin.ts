import { sameName } from '#domain/choices.ts'
import type { Side } from '#domain/deliveries/dispute.ts'
import type { Correction } from '#domain/deliveries/office/correct.ts'
import { Refusal } from '#domain/errors.ts'
import { shortPrice } from '#domain/money.ts'
import type { SettingsChange } from '#domain/office/settings.ts'
import { canMarkPaid, canRetry, checkAmount } from '#domain/payout.ts'
import { isOffice } from '#domain/users/user.ts'
import type { ZoneChange } from '#domain/zones/zone.ts'
import type { InputOf } from '#operations/index.ts'
import { enqueueEntries } from '../deliveries/projection.ts'
import type { NewEntry } from '../entries/new-entry.ts'
import { deliveryRow } from '../queries/deliveries.ts'
import type { Session } from '../rows.ts'
import { createAct } from './act.ts'
import type { CommandContext } from './context.ts'

/** `holdFor`: milliseconds in which it can still be undone (R99). */
type Hold = { holdFor?: number }

/** `confirm`: also if deliveries under way use it (R208). */
type Removal = Hold & { confirm?: boolean }
/** `rename`: its new name (R206). `place`: 1 is the first of the list (R207). */
type ChoiceChange = { rename?: string; place?: number }

/** Commands of the office. Refused at once: not-allowed, support (R210), and each rule's own reasons. */
export function createAdminCommands(context: CommandContext) {
  const { db, waits, write, newEntry } = context
  const act = createAct(context)
  async function officeOnly(): Promise<Session> {
    const session = await db.sessions.get('current')
    if (!session || !isOffice(session.user)) throw new Refusal('not-allowed')
    return session
  }
  async function adminOnly(): Promise<string> {
    const { user, account } = await officeOnly()
    if (user.role === 'support') throw new Refusal('support')
    return account
  }

  const addChoice = (op: 'addZone' | 'addItem', name: string) =>
    write(async () => {
      const account = await adminOnly()
      const list = await (op === 'addZone' ? db.zones : db.items).toArray()
      if (name.trim() === '') throw new Refusal('invalid')
      if (list.some((choice) => sameName(choice.Name, name))) throw new Refusal('name-taken')
      const entry = newEntry(
        op,
        account,
        `${op}:${name.trim()}`,
        { name: name.trim() },
        name.trim(),
      )
      await enqueueEntries(db, [entry])
    })

  const held = (entry: NewEntry, { holdFor }: Hold): NewEntry =>
    holdFor === undefined ? entry : { ...entry, hold: waits.hold(entry.id, holdFor) }

  const removeChoice = (
    op: 'removeZone' | 'removeItem',
    id: string,
    { confirm, ...hold }: Removal,
  ) =>
    write(async () => {
      const account = await adminOnly()
      const choice = await (op === 'removeZone' ? db.zones : db.items).get(id)
      if (!choice) throw new Refusal('not-found')
      const input = { id, name: choice.Name, ...(confirm ? { confirm } : {}) }
      const entry = newEntry(op, account, `choice:${id}`, input, choice.Name)
      await enqueueEntries(db, [held(entry, hold)])
      return entry.id
    })

  const changeChoice = (
    op: 'changeZone' | 'changeItem',
    id: string,
    { rename, ...change }: ZoneChange & ChoiceChange,
  ): Promise<void> =>
    write(async () => {
      const account = await adminOnly()
      const list = await (op === 'changeZone' ? db.zones : db.items).toArray()
      const choice = list.find(({ ID }) => ID === id)
      if (!choice) throw new Refusal('not-found')
      const name = rename?.trim()
      if (name === '') throw new Refusal('invalid')
      if (name !== undefined && list.some(({ ID, Name }) => ID !== id && sameName(Name, name)))
        throw new Refusal('name-taken')
      const renamed = name === undefined ? {} : { rename: name }
      const input = { ...change, ...renamed, id, name: choice.Name }
      await enqueueEntries(db, [newEntry(op, account, `choice:${id}`, input, choice.Name)])
    })

  /** Acts on a person, in the order of what is done about them. */
  const aboutUser = <O extends 'suspendUser' | 'addNote'>(op: O, input: InputOf<O>) =>
    write(async () => {
      const account = await adminOnly()
      const user = await db.users.get([account, input.id])
      await enqueueEntries(db, [newEntry(op, account, `user:${input.id}`, input, user?.name ?? '')])
    })

  const review = (
    id: string,
    decision: Pick<InputOf<'reviewDriver'>, 'status' | 'licence' | 'reason'>,
    hold: Hold,
  ): Promise<string> =>
    write(async () => {
      const account = await adminOnly()
      const driver = await db.drivers.get([account, id])
      const name = driver?.User.Name ?? ''
      const input = { id, ...decision, name }
      const entry = newEntry('reviewDriver', account, `driver:${id}`, input, name)
      await enqueueEntries(db, [held(entry, hold)])
      return entry.id
    })

  const queueAbout = <O extends 'reportFor' | 'sendCode'>(op: O, id: string, input: InputOf<O>) =>
    write(async () => {
      const { account } = await officeOnly()
      const row = await deliveryRow(db, id)
      const title = row?.view.itemDescription ?? ''
      await enqueueEntries(db, [newEntry(op, account, `office:${id}`, input, title)])
    })

  return {
    /** Resolves to the entry's ID, as the next one does. `reason`: of a rejection, which the driver reads (R200). */
    reviewDriver: (
      id: string,
      status: 'approved' | 'rejected',
      { reason, ...hold }: Hold & { reason?: string } = {},
    ) => review(id, { status, ...(reason && { reason }) }, hold),

    /** Whether a changed licence counts (R139). */
    reviewLicence: (id: string, licence: 'accepted' | 'refused', hold: Hold = {}) =>
      review(id, { licence }, hold),

    /** `driverShare` in cedis, for a split (R107). */
    resolveDispute: (
      id: string,
      resolution: string,
      decided: Pick<InputOf<'resolveDispute'>, 'decision' | 'driverShare'> = {},
    ): Promise<void> =>
      write(async () => {
        const account = await adminOnly()
        const text = resolution.trim()
        if (text === '') throw new Refusal('invalid', 'Please say how it was resolved.')
        const dispute = await db.disputes.get([account, id])
        if (!dispute) throw new Refusal('not-found')
        if (dispute.status === 'resolved') throw new Refusal('wrong-status')
        const row = await deliveryRow(db, dispute.DeliveryID)
        const title = row?.view.itemDescription ?? ''
        const input = { id, resolution: text, ...decided }
        await enqueueEntries(db, [
          newEntry('resolveDispute', account, `dispute:${id}`, input, title),
        ])
      }),

    /** `until`: ISO 8601; without it until an admin lifts it (R198). */
    suspendUser: (id: string, reason: string, until?: string): Promise<void> =>
      aboutUser('suspendUser', { id, suspended: true, reason, ...(until && { until }) }),
    liftSuspension: (id: string, reason: string): Promise<void> =>
      aboutUser('suspendUser', { id, suspended: false, reason }),
    /** What the office writes down about a person, who never reads it (R202). */
    addNote: (id: string, text: string): Promise<void> => aboutUser('addNote', { id, text }),

    /** Says that a payout was paid, with the amount in cedis as the admin typed it, or has it sent again (R183). */
    settlePayout: (
      id: string,
      decision: { status: 'paid'; reference: string; amount: number } | { retry: true },
    ): Promise<void> =>
      write(async () => {
        const account = await adminOnly()
        const payout = await db.payouts.get([account, id])
        if (!payout) throw new Refusal('not-found')
        if ('retry' in decision ? !canRetry(payout) : !canMarkPaid(payout))
          throw new Refusal('wrong-status', 'This payout has changed meanwhile.')
        if ('amount' in decision) checkAmount(decision.amount, payout.amount)
        const title = `${shortPrice(payout.amount)} to ${payout.driver.name}`
        await enqueueEntries(db, [
          newEntry('settlePayout', account, `payout:${id}`, { id, ...decision }, title),
        ])
      }),

    /** Gives a job to a driver, by their ID, or puts it back on offer (R192). */
    assignDriver: async (id: string, driver: string | null, reason: string) => {
      await officeOnly()
      return act('assignDriver', id, { input: { driver, reason: said(reason) } })
    },
    /** What is left out of the correction stays (R193). */
    correctDelivery: async (id: string, correction: Correction, reason: string) => {
      await officeOnly()
      return act('correctDelivery', id, { input: { ...correction, reason: said(reason) } })
    },
    approveForSender: async (id: string, reason: string) => {
      await adminOnly()
      return act('approveForSender', id, { input: { reason: said(reason) } })
    },
    /** `amount` in cedis; without it all of the driver's part (R228). */
    refundDelivery: async (id: string, amount: number | undefined, reason: string) => {
      await adminOnly()
      return act('refundDelivery', id, { input: { amount, reason: said(reason) } })
    },
    /** Opens a dispute for a side (R195). */
    reportFor: (id: string, side: Side, issue: string) =>
      queueAbout('reportFor', id, { id, side, issue: said(issue) }),
    /** Has the delivery code sent to its sender by SMS (R196). */
    sendCode: (id: string) => queueAbout('sendCode', id, { id }),

    /** What the office sets for everybody (R204). What is missing stays, null removes it. */
    changeSettings: (change: SettingsChange): Promise<void> =>
      write(async () => {
        const account = await adminOnly()
        await enqueueEntries(db, [newEntry('changeSettings', account, 'settings', change, '')])
      }),

    addZone: (name: string) => addChoice('addZone', name),
    /** Its name, its place, its centre, and all of its roads (R165). */
    changeZone: (id: string, change: ZoneChange & ChoiceChange) =>
      changeChoice('changeZone', id, change),
    removeZone: (id: string, hold: Removal = {}) => removeChoice('removeZone', id, hold),
    addItem: (name: string) => addChoice('addItem', name),
    changeItem: (id: string, change: ChoiceChange) => changeChoice('changeItem', id, change),
    removeItem: (id: string, hold: Removal = {}) => removeChoice('removeItem', id, hold),
  }
}

/** The words of a reason. Refusal: invalid, where there are none. */
function said(reason: string): string {
  const words = reason.trim()
  if (words === '') throw new Refusal('invalid', 'Please say why.')
  return words
}
