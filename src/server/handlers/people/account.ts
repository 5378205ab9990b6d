import { Refusal } from '#domain/errors.ts'
import { isPhone, normalizePhone } from '#domain/users/phone.ts'
import { isSuspended, Suspended } from '#domain/users/standing/suspension.ts'
import { isOffice, normalizeEmail, type User } from '#domain/users/user.ts'
import { type AddressCaller, addressLimits } from '../../limits/address-limits.ts'
import { assertAttemptsLeft } from '../../limits/rate-limits.ts'
import { notifyOffice } from '../../notifications/notify.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import { firstLoginSetting } from '../../ports/stores/settings-store.ts'
import { refuseIdNumber } from '../../rules/accounts/id-numbers.ts'
import { openSession } from '../../rules/accounts/new-session.ts'
import { passwordCheck } from '../../rules/accounts/password-check.ts'
import { assertUncommonPassword } from '../../rules/accounts/password-rules.ts'
import { assertGhanaPhone, assertName, assertSeenEmail } from '../../rules/new-contacts.ts'
import { isHostedPhoto, keepIdPhoto } from '../../rules/photos.ts'
import { smsCodes } from '../../rules/sms/sms-codes.ts'
import { smsCounter } from '../../rules/sms/sms-counter.ts'

type Account = Pick<Handlers, 'login' | 'signup' | 'logout' | 'me' | 'sessions' | 'endSession'>

/** Login, logout, sign-up and a person's sessions. */
export function accountHandlers(ports: Ports): Account {
  const { repo, secrets, passwords, options } = ports
  const { limits } = options
  const { newCode } = smsCodes(ports)
  const { assertLeft, countSms, order } = smsCounter(ports)
  const checkPassword = passwordCheck(ports)
  const fromAddress = addressLimits(ports)

  /** Counts a sign-up from this address before its password is hashed (R64). Throws `TooManyAttempts`. */
  const countSignup = (caller: AddressCaller, phone: string, at: string) =>
    repo.transaction(async (stores) => {
      await fromAddress.count(stores, limits.signups, caller, at)
      await assertAttemptsLeft(stores, secrets, limits.sms, phone, at)
      await assertLeft(stores, phone, at)
    })

  return {
    async login({ input: { email, password, code }, address, device, at }) {
      const name = loginName(email)
      const found = await repo.read(({ users }) =>
        isPhone(name) ? users.byVerifiedPhone(name) : users.byEmail(name),
      )
      const attempt = await checkPassword(found, name, { password, address, device, at })
      if (!found || !attempt) throw new Refusal('wrong-login')
      const takeCode = isOffice(found) && (await loadCodes()).takeCode
      return async (stores) => {
        // Of two logins with one code, one gets in (R213).
        const { lock, lockShared } = stores.users
        const user = await (isOffice(found) ? lock : lockShared)(found.ID)
        // A password reset may have committed since the password was compared (R11).
        const current = await stores.users.byEmail(found.email)
        if (!user || current?.passwordHash !== found.passwordHash) throw new Refusal('wrong-login')
        if (user.suspended && isSuspended(user, at)) throw new Suspended(user.suspended)
        if (takeCode) {
          const limit = limits.secondFactor
          const refusal = await takeCode(stores, secrets, current, { code, at, attempt, limit })
          if (refusal) return { refusal }
        }
        if (user.role === 'admin') await stores.settings.keep(firstLoginSetting, at)
        return { body: await openSession(secrets, stores, user, at, device) }
      }
    },

    async signup({ input, device, address, solved, at, log }) {
      const { name, email, phone_number, role, idType, idNumber } = input
      assertName(name)
      assertSeenEmail(email)
      assertGhanaPhone(phone_number)
      await assertUncommonPassword(input.password, input)
      if (role === 'driver' && !isHostedPhoto(input.idPhoto, options.imageHost))
        throw new Refusal('id-photo-not-hosted')
      await countSignup({ address, solved }, phone_number, at)
      const passwordHash = await passwords.hash(input.password)
      const keepPhoto = await keepIdPhoto({ ...ports, log }, role === 'driver' ? input.idPhoto : '')
      return async (stores) => {
        const refusal =
          idNumber && (await refuseIdNumber(stores, secrets, { name, email, idNumber, at }))
        if (refusal) return { refusal }
        const idPhoto = role === 'driver' ? await keepPhoto(stores, at) : undefined
        const user: User = {
          ID: secrets.id(),
          name,
          email,
          phone_number,
          role,
          Verified: false,
          ...(role === 'driver' ? { driverStatus: 'pending' as const } : {}),
        }
        await countSms(stores, phone_number, at)
        await stores.users.add({ ...user, passwordHash, createdAt: at })
        if (role === 'driver' && idType && idNumber && idPhoto) {
          const application = { userId: user.ID, idType, idNumber, idPhoto, createdAt: at }
          await stores.applications.add(application)
        }
        const Message = `${user.name} signed up as a ${role}`
        const activity = { ID: secrets.id(), Type: 'user_signup', Message, CreatedAt: at }
        await stores.activities.add(activity)
        await stores.publish({ about: 'users', id: user.ID, to: [], admins: true })
        if (role === 'driver') {
          await stores.publish({ about: 'drivers', id: user.ID, to: [], admins: true })
          await notifyOffice(stores, { kind: 'office-application', at })
        }
        const messages = await order(stores, [await newCode(stores, user, 'verify')], at)
        return { body: await openSession(secrets, stores, user, at, device), messages }
      }
    },

    logout:
      ({ session }) =>
      async (stores, actor) => {
        if (session) await stores.sessions.end(session)
        await stores.publish({ about: 'me', to: [requireUser(actor).ID] })
        // Clears the browser's HTTP cache. The outbox is in IndexedDB and stays.
        const headers = { 'clear-site-data': '"cache"' }
        return { body: { message: 'Logged out' }, headers }
      },

    sessions:
      ({ session }) =>
      async (stores, actor) => {
        const all = await stores.sessions.listOf(requireUser(actor).ID)
        const sessions = all.map(({ hash, id, createdAt, usedAt, device }) => ({
          id,
          createdAt,
          usedAt,
          device,
          current: hash === session,
        }))
        return { body: { sessions } }
      },

    endSession:
      ({ id }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (!(await stores.sessions.endOf(user.ID, id))) throw new Refusal('not-found')
        await stores.publish({ about: 'me', to: [user.ID] })
        return { body: { message: 'Signed out on that device.' } }
      },

    me: () => async (_stores, actor) => {
      const user = requireUser(actor)
      return { body: { user, role: user.role } }
    },
  }
}

/** Only colleagues have a second factor: no other login loads it, nor does the demo's first page. */
const loadCodes = () => import('../../rules/accounts/login-codes.ts')

/** What somebody logs in with, in its one spelling: a phone number or an e-mail (R7, R8). */
function loginName(typed: string): string {
  const phone = typed.includes('@') ? '' : normalizePhone(typed)
  return isPhone(phone) ? phone : normalizeEmail(typed)
}
