import { type Delivery, isPartyTo } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { isOffice, type User } from '#domain/users/user.ts'
import { forgetGuestPhone } from '../../notifications/guest-phones.ts'
import { type Handlers, requireActor, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { StoredDelivery } from '../../ports/stores/delivery-stores.ts'
import { accountOfSession } from '../../rules/accounts/account-of-session.ts'
import { passwordCheck } from '../../rules/accounts/password-check.ts'
import { smsCodes } from '../../rules/sms/sms-codes.ts'
import { projectFor, visibleTo } from '../../rules/visibility.ts'
import { erasePerson } from './erase-person.ts'

/** What people get and delete of what is held about them (R215, R216). */
export function personalDataHandlers(ports: Ports): Pick<Handlers, 'myData' | 'deleteMe'> {
  const { repo, secrets } = ports
  const checkPassword = passwordCheck(ports)
  const { redeem } = smsCodes(ports)
  const erase = erasePerson(ports)

  /** What a guest's code by SMS shows to be theirs. */
  async function eraseByNumber(
    stores: Stores,
    { phone, code, address, at }: Record<'phone' | 'code' | 'address' | 'at', string>,
  ) {
    if (!(await redeem(stores, { phone, purpose: 'recover', code, address })))
      return { refusal: new Refusal('wrong-sms-code') }
    const theirs = await stores.personal.lockDeliveriesOfGuest(phone)
    await erase.guest(stores, theirs, at)
    await forgetGuestPhone(stores, secrets, phone)
    return { body: { message: 'Your deliveries were deleted.' } }
  }

  return {
    myData: () => async (stores, caller) => {
      const actor = requireActor(caller)
      if ('guestOf' in actor) {
        const stored = await stores.deliveries.get(actor.guestOf)
        const rows = await stores.personal.rowsOfGuest(actor.guestOf)
        return { body: { data: { deliveries: [visibleTo(actor, stored)], ...rows } } }
      }
      const { ID } = actor.user
      const stored = await stores.personal.deliveriesOf(ID)
      const deliveries = stored.map((each) => ownPartOf(each, actor.user))
      return { body: { data: { ...(await stores.personal.rowsOf(ID)), deliveries } } }
    },

    async deleteMe({ input, session, guest, address, device, at }) {
      const { password, guestPhone: phone, code } = input
      if (guest)
        return async (stores, actor) => {
          const id = actor && 'guestOf' in actor ? actor.guestOf : ''
          const delivery = await stores.deliveries.lock(id)
          if (!delivery) throw new Refusal('no-session')
          await erase.guest(stores, [delivery], at)
          return { body: { message: 'Your delivery was deleted.' } }
        }
      if (!session) {
        if (phone === undefined || code === undefined) throw new Refusal('no-session')
        return (stores) => eraseByNumber(stores, { phone, code, address, at })
      }
      const account = await accountOfSession(repo, session)
      if (!account) throw new Refusal('no-session')
      if (isOffice(account))
        throw new Refusal('not-allowed', 'An account of the office is removed by an admin.')
      const typed = { password: password ?? '', address, device, at }
      if (!(await checkPassword(account, '', typed))) throw new Refusal('wrong-password')
      return async (stores, actor) => {
        const user = requireUser(actor)
        const current = await stores.users.byEmail(user.email)
        // A reset may have committed since the password was compared (R11).
        if (current?.passwordHash !== account.passwordHash) throw new Refusal('wrong-password')
        await erase.account(stores, user, at)
        // Clears the browser's HTTP cache, as at a logout.
        const headers = { 'clear-site-data': '"cache"' }
        return { body: { message: 'Your account was deleted.' }, headers }
      }
    },
  }
}

/** What somebody may see of a delivery as its party; of a job that they gave back, their own reports alone. */
function ownPartOf(stored: StoredDelivery, { role, ...user }: User): Partial<Delivery> {
  // An admin who sends or drives sees the other party as anybody does.
  const actor = { user: { ...user, role: isOffice({ role }) ? ('user' as const) : role } }
  const visible = isPartyTo(stored, actor) && projectFor(actor, stored)
  if (visible) return visible
  const { ID, incidents } = stored
  return { ID, incidents: incidents?.filter(({ driver }) => driver === user.ID) }
}
