import { Refusal } from '#domain/errors.ts'
import { isOffice, type User } from '#domain/users/user.ts'
import { addressLimits } from '../../limits/address-limits.ts'
import { countAttempt } from '../../limits/rate-limits.ts'
import { type Handlers, requireUser, type Work } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import { takePhone } from '../../rules/accounts/lost-phone.ts'
import { assertUncommonPassword } from '../../rules/accounts/password-rules.ts'
import { refreshContacts } from '../../rules/contacts.ts'
import { assertGhanaPhone } from '../../rules/new-contacts.ts'
import { smsCodes } from '../../rules/sms/sms-codes.ts'
import { smsCounter } from '../../rules/sms/sms-counter.ts'
import { phoneChangeMessage } from '../../rules/sms/sms-messages.ts'

type PhoneHandlers = Pick<
  Handlers,
  'changePhone' | 'requestReset' | 'resetPassword' | 'confirmPhone' | 'resendCode'
>

/** The response whether or not the number has an account (R56). */
const mayBeOnItsWay = 'If this number has an account, a code is on its way.'

/** Milliseconds after a change of a confirmed number in which no password is reset by SMS (R10). */
const resetDelay = 72 * 60 * 60 * 1000

/** Verifying and changing a phone number, and resetting a password by it (R10, R11, R62). */
export function phoneHandlers(ports: Ports): PhoneHandlers {
  const { repo, secrets, passwords, options } = ports
  const { limits } = options
  const { newCode, pretend, check, redeem } = smsCodes(ports)
  const { assertLeft, countSms, takeSms, order } = smsCounter(ports)
  const fromAddress = addressLimits(ports)

  /** Whether a password may be reset by SMS: never an admin's (R11), nor by a number changed recently (R10). */
  async function mayReset(stores: Stores, user: User, at: string): Promise<boolean> {
    if (isOffice(user)) return false
    const changed = await stores.users.phoneChangedAt(user.ID)
    return changed === undefined || Date.parse(at) - Date.parse(changed) >= resetDelay
  }

  /** The account whose reset code this is. A wrong code is counted. */
  async function checkResetCode(
    stores: Stores,
    guess: Omit<Parameters<typeof check>[1], 'purpose'>,
    at: string,
  ) {
    const userId = await check(stores, { ...guess, purpose: 'reset' })
    const user = userId === undefined ? undefined : await stores.users.lock(userId)
    return user && (await mayReset(stores, user, at)) ? user : undefined
  }

  return {
    changePhone:
      ({ input: { phone_number }, at }) =>
      async (stores, actor) => {
        const user = await stores.users.lock(requireUser(actor).ID)
        if (!user) throw new Refusal('no-session')
        if (user.phone_number === phone_number) {
          await dropPending(stores, user)
          return { body: { message: 'This is your phone number already.' } }
        }
        assertGhanaPhone(phone_number)
        // Counted for the account too, because each change also sends an SMS to the old number.
        await countAttempt(stores, secrets, limits.sms, `account ${user.ID}`, at)
        await countSms(stores, phone_number, at)
        await stores.users.change(user.ID, { pendingPhone: phone_number })
        const messages = [await newCode(stores, user, 'verify', phone_number)]
        if (user.Verified && user.phone_number !== '')
          messages.push(phoneChangeMessage(user.phone_number, phone_number))
        await stores.publish({ about: 'me', to: [user.ID] })
        const message = 'Please verify the new phone number with the code we sent to it.'
        return { body: { message }, messages: await order(stores, messages, at) }
      },

    requestReset:
      ({ input: { phone_number }, address, solved, at }) =>
      async (stores) => {
        await fromAddress.count(stores, limits.resetRequests, { address, solved }, at)
        await assertLeft(stores, phone_number, at)
        const user = await stores.users.byVerifiedPhone(phone_number)
        const isSent =
          user !== undefined &&
          (await mayReset(stores, user, at)) &&
          (await takeSms(stores, 'recover', phone_number, at))
        const messages = isSent ? [await newCode(stores, user, 'reset')] : []
        if (!isSent) await pretend(stores)
        return { body: { message: mayBeOnItsWay }, messages: await order(stores, messages, at) }
      },

    async resetPassword({ input: { phone_number, code, new_password }, address, at }) {
      await assertUncommonPassword(new_password)
      const guess = { phone: phone_number, code, address }
      // The code is checked before the password is hashed: a wrong code must not cost a hash.
      const owner = await repo.transaction((stores) => checkResetCode(stores, guess, at))
      if (!owner) throw new Refusal('wrong-sms-code')
      await assertUncommonPassword(new_password, owner)
      const passwordHash = await passwords.hash(new_password)
      return async (stores) => {
        const user = await checkResetCode(stores, guess, at)
        if (!user) return { refusal: new Refusal('wrong-sms-code') }
        await stores.codes.end(user.ID, 'reset')
        // Failed logins are counted with the password's hash, so a new password begins without any.
        await stores.users.change(user.ID, { passwordHash })
        await stores.sessions.endAllOf(user.ID)
        await stores.publish({ about: 'me', to: [user.ID] })
        return { body: { message: 'Your password has been reset. Please log in.' } }
      }
    },

    async confirmPhone({ input: { phone_number, code }, session, address, at }) {
      // Locked together with a caller who has a session, in order of ID (R138).
      const known = session
        ? await repo.read(({ users }) => users.byVerifiedPhone(phone_number))
        : undefined
      const work: Work<'confirmPhone'> = async (stores, actor) => {
        const own = actor && 'user' in actor ? actor.user.ID : undefined
        const guess = { phone: phone_number, purpose: 'verify' as const, code, address }
        const userId = await redeem(stores, { ...guess, userId: own })
        if (userId === undefined) return { refusal: new Refusal('wrong-sms-code') }
        const { user, holder } = await lockBoth(stores, userId, phone_number)
        if (!user || ![user.pendingPhone, user.phone_number].includes(phone_number))
          return { refusal: new Refusal('wrong-sms-code') }
        if (holder) await takePhone(stores, holder, at)
        if (user.pendingPhone === phone_number) await confirmPending(stores, user, phone_number, at)
        else await stores.users.change(user.ID, { Verified: true })
        await stores.publish({ about: 'me', to: [user.ID] })
        return { body: { message: 'Phone number verified.' } }
      }
      // As much work for a number that nobody has: the time shows nothing (R56).
      return Object.assign(work, { alsoLocks: session ? [known?.ID ?? secrets.id()] : [] })
    },

    resendCode:
      ({ input: { phone_number }, address, solved, at }) =>
      async (stores, actor) => {
        await fromAddress.count(stores, limits.resetRequests, { address, actor, solved }, at)
        const isOwner = actor !== undefined && 'user' in actor
        const user = isOwner
          ? ifUnverified(actor.user, phone_number)
          : await stores.users.byUnverifiedPhone(phone_number)
        if (user && isOwner) await countSms(stores, phone_number, at)
        else await assertLeft(stores, phone_number, at)
        const isSent =
          user !== undefined && (isOwner || (await takeSms(stores, 'verify', phone_number, at)))
        const messages = isSent ? [await newCode(stores, user, 'verify', phone_number)] : []
        if (!isSent) await pretend(stores)
        return { body: { message: mayBeOnItsWay }, messages: await order(stores, messages, at) }
      },
  }
}

/** The user, if the number is theirs and not verified. */
function ifUnverified(user: User, phone: string): User | undefined {
  const isOwn = user.phone_number === phone && !user.Verified
  return isOwn || user.pendingPhone === phone ? user : undefined
}

/** The account of a right code, and another one that has confirmed the number before, locked in order of ID (R138). */
async function lockBoth(stores: Stores, userId: string, phone: string) {
  const found = await stores.users.byVerifiedPhone(phone)
  const locked = new Map<string, User | undefined>()
  for (const id of [...new Set([userId, found?.ID ?? userId])].sort())
    locked.set(id, await stores.users.lock(id))
  const holder = found && found.ID !== userId ? locked.get(found.ID) : undefined
  return {
    user: locked.get(userId),
    holder: holder?.Verified && holder.phone_number === phone ? holder : undefined,
  }
}

/** Removes the number that waits for its code. */
async function dropPending(stores: Stores, user: User) {
  if (user.pendingPhone === undefined) return
  await stores.users.change(user.ID, { pendingPhone: null })
  await stores.codes.end(user.ID, 'verify')
  await stores.publish({ about: 'me', to: [user.ID] })
}

/** Puts the confirmed number in the place of the old one (R10). Refusal: phone-taken. */
async function confirmPending(stores: Stores, user: User, phone: string, at: string) {
  // A number that somebody else has taken (R145) was replaced, too.
  const replaced = user.Verified || user.phone_number === ''
  await stores.users.change(user.ID, {
    phone_number: phone,
    Verified: true,
    pendingPhone: null,
    phoneChangedAt: replaced ? at : undefined,
  })
  // A reset code for this account was sent to the old number.
  await stores.codes.end(user.ID, 'reset')
  const changed = await stores.users.get(user.ID)
  if (changed) await refreshContacts(stores, changed, at)
}
