import { Refusal } from '#domain/errors.ts'
import {
  isSameAccount,
  payoutAt,
  pendingPayoutAt,
  withPayoutNumber,
} from '#domain/payouts/payout-numbers.ts'
import type { PayoutNumber } from '#domain/users/payout-number.ts'
import { countAttempt } from '../../limits/rate-limits.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { assertGhanaPhone, assertName } from '../../rules/new-contacts.ts'
import { smsCodes } from '../../rules/sms/sms-codes.ts'
import { smsCounter } from '../../rules/sms/sms-counter.ts'
import { payoutChangeMessage } from '../../rules/sms/sms-messages.ts'

/** The number that a driver is paid to, confirmed by a code (R175). */
export function payoutNumberHandlers(
  ports: Ports,
): Pick<Handlers, 'changePayout' | 'confirmPayout'> {
  const { secrets, options } = ports
  const { newCode, redeem } = smsCodes(ports)
  const { countSms, order } = smsCounter(ports)

  return {
    changePayout:
      ({ input, at }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const { phone } = input
        assertName(input.name)
        assertGhanaPhone(phone)
        const asked = { ...input, from: at }
        const counting = payoutAt(user, Date.parse(at))
        // Whoever goes back to the number that counts needs no code: a change of theirs ends.
        if (isSameAccount(counting, asked)) {
          await stores.users.change(user.ID, {
            payout: counting,
            nextPayout: null,
            pendingPayout: null,
          })
          await stores.codes.end(user.ID, 'payout')
          await stores.publish({ about: 'me', to: [user.ID] })
          return { body: { message: 'You are paid to this number already.' } }
        }
        await countAttempt(stores, secrets, options.limits.sms, `account ${user.ID}`, at)
        await countSms(stores, phone, at)
        await stores.users.change(user.ID, { pendingPayout: asked })
        const code = await newCode(stores, user, 'payout', phone)
        await stores.publish({ about: 'me', to: [user.ID] })
        const message = 'Please confirm the number with the code we sent to it.'
        return { body: { message }, messages: await order(stores, [code], at) }
      },

    confirmPayout:
      ({ input: { code }, address, at }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const pending = pendingPayoutAt(user, Date.parse(at))
        const userId =
          pending &&
          (await redeem(stores, {
            phone: pending.phone,
            purpose: 'payout',
            code,
            address,
            userId: user.ID,
          }))
        if (!pending || userId === undefined) return { refusal: new Refusal('wrong-sms-code') }
        const { from: _, ...confirmed } = pending
        const { payout, nextPayout } = withPayoutNumber(user, confirmed, at)
        await stores.users.change(user.ID, {
          payout,
          nextPayout: nextPayout ?? null,
          pendingPayout: null,
        })
        await stores.publish({ about: 'me', to: [user.ID] })
        const changed = await stores.users.get(user.ID)
        if (!changed) throw new Refusal('no-session')
        const told = await order(stores, tellOf(payout, nextPayout), at)
        return { body: { user: changed }, messages: told }
      },
  }
}

const tellOf = (payout: PayoutNumber, next: PayoutNumber | undefined) =>
  next ? [payoutChangeMessage(payout.phone, next)] : []
