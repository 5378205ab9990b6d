import { isDriverOf } from '#domain/deliveries/delivery.ts'
import { wasGivenTo } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import type { Contact } from '#domain/users/user.ts'
import { requireUser } from '../ports/handler.ts'
import { cardOf } from '../rules/contacts.ts'
import { effect } from './effect.ts'

export const acceptDelivery = effect<'acceptDelivery', Contact>({
  load: ({ stores, actor }) => cardOf(stores, requireUser(actor)),
  async terms({ before, actor, loaded }) {
    // The same driver accepted it before: a repeat, not a conflict with another driver.
    const driver = requireUser(actor)
    if (isDriverOf(before, driver) && !wasGivenTo(before, driver)) throw new Refusal('wrong-status')
    return loaded
  },
})
