import type { CallInput, CallResult } from '#contract/calls/call.ts'
import type { Op } from '#contract/endpoints.ts'
import { Refused, Unreachable } from '#contract/wire-errors.ts'
import type { GuestRecord } from '#domain/deliveries/guest.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { deleteErasedGuests } from '../account/guest-records.ts'
import { saveRecoveredGuests } from '../deliveries/save/recovered-guests.ts'
import type { SomaDb } from '../soma-db.ts'

type Ask = <O extends Op>(
  op: O,
  question?: CallInput,
) => Promise<NonNullable<CallResult<O>['value']>>

/** What a guest does with a code by SMS that shows a number to be theirs. Rejects as `ask` does. */
export function guestNumber(
  { db, clock }: Pick<SyncContext<SomaDb>, 'db' | 'clock'>,
  ask: Ask,
  wakeEngine: () => void,
) {
  /** The deletion that got no response here, with what this phone held of the number then. */
  let unanswered: { phone: string; held: GuestRecord[] } | undefined

  /**
   * Asks for a code by SMS; the response is the same whether or not the number has deliveries (R56, R109). `erase`: to
   * delete them (R216).
   */
  const recoverGuest = async (phone: string, erase?: boolean): Promise<void> => {
    await ask('recoverGuest', { body: { guestPhone: phone, erase } })
  }

  /** Brings the deliveries of a guest whose phone forgot them back to this one (R109); resolves to their IDs. */
  async function confirmGuestRecovery(phone: string, code: string): Promise<string[]> {
    const askedAt = clock.monotonic()
    const { deliveries } = await ask('confirmGuestRecovery', { body: { guestPhone: phone, code } })
    const times = { askedAt, serverAt: clock.monotonic(), now: clock.now() }
    await saveRecoveredGuests(db, phone, deliveries, times)
    wakeEngine()
    return deliveries.map(({ delivery }) => delivery.ID)
  }

  /** Deletes every delivery that was sent as a guest with this number, here too (R216, S89). */
  async function eraseGuest(phone: string, code: string): Promise<void> {
    // Before it is asked: what is sent meanwhile is not deleted.
    const held = await heldOf(phone)
    const lost = unanswered?.phone === phone ? unanswered.held : undefined
    let erased = held
    try {
      await ask('deleteMe', { body: { guestPhone: phone, code } })
    } catch (error) {
      if (error instanceof Unreachable) unanswered = { phone, held: lost ?? held }
      const isUsed = error instanceof Refused && error.reason === 'wrong-sms-code'
      if (!isUsed || !lost || !(await areErased(lost))) throw error
      // The first one took effect, and its response was lost.
      erased = lost
    }
    unanswered = undefined
    const ids = erased.map(({ id }) => id)
    await deleteErasedGuests(db, new Set(ids))
  }

  /** Records of this number's deliveries that the server has. */
  async function heldOf(phone: string): Promise<GuestRecord[]> {
    const records = await db.guests.toArray()
    return records.filter((each) => each.senderPhone === phone && each.guestToken !== undefined)
  }

  /** Whether the server no longer takes a token that no other phone has replaced (S74). */
  async function areErased(records: readonly GuestRecord[]): Promise<boolean> {
    const held = records.find(({ moved }) => !moved)
    if (!held) return false
    return ask('getDelivery', { id: held.id, token: held.guestToken }).then(
      () => false,
      (error) => error instanceof Refused && error.status === 401,
    )
  }

  return { recoverGuest, confirmGuestRecovery, eraseGuest }
}
