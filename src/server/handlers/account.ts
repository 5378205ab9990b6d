import { Refusal } from '#domain/errors.ts'
import { sameEmail, type User } from '#domain/user.ts'
import type { Gateways } from '../gateways.ts'
import { type Handlers, personIn } from '../handler.ts'
import { isHosted } from '../hosted.ts'
import { spend, subjectKey } from '../limits.ts'
import { newSession } from '../new-session.ts'
import { newsOf } from '../news.ts'
import { keepIdPhoto } from '../photo-privacy.ts'
import type { Stores } from '../repo.ts'
import { smsCodes } from '../sms-codes.ts'

type Account = Pick<
  Handlers,
  | 'login'
  | 'signup'
  | 'logout'
  | 'me'
  | 'changePhone'
  | 'requestReset'
  | 'resetPassword'
  | 'confirmPhone'
  | 'resendCode'
  | 'sessions'
  | 'endSession'
>

/** Said whether or not the number is known: nobody learns that from us. */
const mayBeOnItsWay = 'If this number has an account, a code is on its way.'

/** Logging in, signing up, and the proof of a phone number (spec §4: auth flow). */
export function accountHandlers(gateways: Gateways): Account {
  const { repo, secrets, passwords, options } = gateways
  const { newCode, redeem } = smsCodes(gateways)

  async function openSession(stores: Stores, user: User, at: string, device: string) {
    const token = secrets.sessionToken()
    await stores.sessions.add(newSession(secrets, token, user.ID, at, device))
    return { user, token, role: user.role }
  }

  return {
    async login({ input: { email, password }, address, device, at }) {
      const account = sameEmail(email)
      const tries = await repo.transaction(async (stores) => ({
        fromAddress: await spend(stores, secrets, options.limits.loginFrom, address, at),
        ofAccount: await spend(stores, secrets, options.limits.login, account, at),
      }))
      const forgive = async ({ attempts }: Stores) => {
        await attempts.forgive(tries.fromAddress)
        await attempts.forgive(tries.ofAccount)
      }
      const found = await repo.read(({ users }) => users.byEmail(email))
      const right = await passwords
        .verify(found?.passwordHash, password)
        .catch(async (error: unknown) => {
          // It was never tried.
          await repo.transaction(forgive)
          throw error
        })
      if (!found || !right) throw new Refusal('wrong-login')
      return async (stores) => {
        await forgive(stores)
        const user = await stores.users.hold(found.ID)
        if (!user) throw new Refusal('wrong-login')
        return { body: await openSession(stores, user, at, device) }
      }
    },

    async signup({ input, device, at }) {
      const passwordHash = await passwords.hash(input.password)
      const keepPhoto = await keepIdPhoto(gateways, input.role === 'driver' ? input.idPhoto : '')
      return async (stores) => {
        const { role, idType, idNumber } = input
        const idPhoto = input.role === 'driver' ? await keepPhoto(stores, at) : undefined
        const user: User = {
          ...{ ID: secrets.id(), name: input.name, email: input.email },
          ...{ phone_number: input.phone_number, role, Verified: false },
          ...(role === 'driver' ? { driverStatus: 'pending' as const } : {}),
        }
        if (role === 'driver' && !isHosted(idPhoto, options.imageHost))
          throw new Refusal('id-photo-not-hosted')
        await spend(stores, secrets, options.limits.sms, user.phone_number, at)
        await stores.users.add({ ...user, passwordHash, createdAt: at })
        if (role === 'driver' && idType && idNumber && idPhoto) {
          const application = { userId: user.ID, idType, idNumber, idPhoto, createdAt: at }
          await stores.applications.add(application)
        }
        const Message = `${user.name} signed up as a ${role}`
        const activity = { ID: secrets.id(), Type: 'user_signup', Message, CreatedAt: at }
        await stores.activities.add(activity)
        await stores.announce({ about: 'users', id: user.ID, to: [], admins: true })
        const text = await newCode(stores, user, 'verify')
        return { body: await openSession(stores, user, at, device), texts: [text] }
      }
    },

    logout:
      ({ session }) =>
      async (stores, actor) => {
        if (session) await stores.sessions.end(session)
        await stores.announce({ about: 'me', to: [personIn(actor).ID] })
        return { body: { message: 'Logged out' } }
      },

    sessions:
      ({ session }) =>
      async (stores, actor) => {
        const all = await stores.sessions.listOf(personIn(actor).ID)
        const sessions = all.map(({ hash, id, createdAt, usedAt, device }) => ({
          ...{ id, createdAt, usedAt, device },
          current: hash === session,
        }))
        return { body: { sessions } }
      },

    endSession:
      ({ id }) =>
      async (stores, actor) => {
        const user = personIn(actor)
        if (!(await stores.sessions.endOf(user.ID, id))) throw new Refusal('not-found')
        await stores.announce({ about: 'me', to: [user.ID] })
        return { body: { message: 'Signed out on that device.' } }
      },

    me: () => async (_stores, actor) => {
      const user = personIn(actor)
      return { body: { user, role: user.role } }
    },

    changePhone:
      ({ input: { phone_number }, at }) =>
      async (stores, actor) => {
        const user = await stores.users.lock(personIn(actor).ID)
        if (!user) throw new Refusal('no-session')
        if (user.phone_number === phone_number)
          return { body: { message: 'This is your phone number already.' } }
        await spend(stores, secrets, options.limits.sms, phone_number, at)
        await stores.users.change(user.ID, { phone_number, Verified: false })
        await stores.codes.end(user.ID, 'reset')
        const text = await newCode(stores, { ...user, phone_number }, 'verify')
        await tellTheOtherSide(stores, user.ID, phone_number, at)
        await stores.announce({ about: 'me', to: [user.ID] })
        const message = 'Phone number updated. Please verify it with the code we sent.'
        return { body: { message }, texts: [text] }
      },

    requestReset:
      ({ input: { phone_number }, at }) =>
      async (stores) => {
        await spend(stores, secrets, options.limits.sms, phone_number, at)
        const user = await stores.users.byVerifiedPhone(phone_number)
        const texts = user ? [await newCode(stores, user, 'reset')] : []
        return { body: { message: mayBeOnItsWay }, texts }
      },

    async resetPassword({ input: { phone_number, code, new_password } }) {
      const passwordHash = await passwords.hash(new_password)
      return async (stores) => {
        const userId = await redeem(stores, phone_number, 'reset', code)
        const user = userId === undefined ? undefined : await stores.users.lock(userId)
        if (!user) return { refusal: new Refusal('wrong-sms-code') }
        await stores.users.change(user.ID, { passwordHash })
        await stores.sessions.endAllOf(user.ID)
        const failed = subjectKey(secrets, options.limits.login, sameEmail(user.email))
        await stores.attempts.forget(failed)
        await stores.announce({ about: 'me', to: [user.ID] })
        return { body: { message: 'Your password has been reset. Please log in.' } }
      }
    },

    confirmPhone:
      ({ input: { phone_number, code } }) =>
      async (stores) => {
        const userId = await redeem(stores, phone_number, 'verify', code)
        const user = userId === undefined ? undefined : await stores.users.lock(userId)
        if (user?.phone_number !== phone_number) return { refusal: new Refusal('wrong-sms-code') }
        await stores.users.change(user.ID, { Verified: true })
        await stores.announce({ about: 'me', to: [user.ID] })
        return { body: { message: 'Phone number verified.' } }
      },

    resendCode:
      ({ input: { phone_number }, at }) =>
      async (stores) => {
        await spend(stores, secrets, options.limits.sms, phone_number, at)
        const user = await stores.users.byUnverifiedPhone(phone_number)
        const texts = user ? [await newCode(stores, user, 'verify')] : []
        return { body: { message: mayBeOnItsWay }, texts }
      },
  }
}

/** A driver under way, or a sender, is reached by the number they have now. */
async function tellTheOtherSide(stores: Stores, userId: string, phone: string, at: string) {
  for (const delivery of await stores.deliveries.lockUnfinishedOf(userId)) {
    const { sender, driver } = delivery
    const saved = await stores.deliveries.save({
      ...delivery,
      ...(sender?.id === userId ? { sender: { ...sender, phone }, senderPhone: phone } : {}),
      ...(driver?.id === userId ? { driver: { ...driver, phone } } : {}),
      updatedAt: at,
    })
    await stores.announce({ ...newsOf(saved), drivers: false })
  }
}
