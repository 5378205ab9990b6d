import { wrongCode } from '#domain/deliveries/handover/delivery-code.ts'
import { Refusal } from '#domain/errors.ts'
import { completeDelivery as operation } from '#operations/driving/complete-delivery.ts'
import { attemptKey, attemptsSince, findTooMany } from '../limits/rate-limits.ts'
import { provesHandover, provesReturn } from '../rules/deliveries/handover-proof.ts'
import { noteWrongCode } from '../rules/deliveries/wrong-codes.ts'
import { effect } from './effect.ts'

type TooMany = Awaited<ReturnType<typeof findTooMany>>

/** Compares the code, and counts wrong ones (R25, R60, R135). */
export const completeDelivery = effect<'completeDelivery', TooMany>({
  async load({ stores, ports: { secrets, options }, asked: { id, input, at } }) {
    if (input.code?.trim() === '') throw new Refusal('invalid', 'Please enter the delivery code')
    return findTooMany(stores, secrets, options.limits.deliveryCode, id, at)
  },

  async terms({ stores, ports: { secrets, options }, before, actor, asked, loaded: tooMany }) {
    const { id, input, at, when } = asked
    // The rule first: a caller who may not deliver it cannot try codes.
    operation.rule(before, actor, when, input)
    const isCode = input.code !== undefined
    if (before.codeLocked && isCode) throw new Refusal('code-locked')
    // After too many guesses the digits stay refused; the QR code's secret cannot be guessed (R135).
    if (tooMany && !before.codeLocked) throw tooMany
    if (provesReturn(before, input)) return { returned: options.endings }
    if (provesHandover(before, input))
      return { dueAt: new Date(Date.parse(at) + options.endings.autoApprove).toISOString() }
    const limit = options.limits.deliveryCode
    await stores.attempts.add({ id: secrets.id(), key: attemptKey(secrets, limit, id), at })
    const wrongCodes = (before.wrongCodes ?? 0) + Number(isCode)
    if (isCode) await noteWrongCode(stores, secrets, before, at)
    const tried = await attemptsSince(stores, secrets, limit, id, at)
    return { refusal: wrongCode(limit.tries - tried.length, wrongCodes) }
  },
})
