import type { Actor } from '#domain/deliveries/delivery.ts'
import { Refusal } from '#domain/errors.ts'
import { isSuspended } from '#domain/users/standing/suspension.ts'
import { isOffice, normalizeEmail, type User } from '#domain/users/user.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { Account } from '../../ports/stores/account-stores.ts'
import { openSession } from '../../rules/accounts/new-session.ts'
import { assertUncommonPassword } from '../../rules/accounts/password-rules.ts'
import { refreshContacts } from '../../rules/contacts.ts'
import { assertName, assertSeenEmail } from '../../rules/new-contacts.ts'

type Colleagues = Pick<
  Handlers,
  | 'adminColleagues'
  | 'inviteColleague'
  | 'acceptInvitation'
  | 'changeColleague'
  | 'removeColleague'
  | 'removeSecondFactor'
>

/** Milliseconds for which an invitation can be accepted (R209). */
const invitationLifetime = 3 * 24 * 60 * 60 * 1000

/** The people of the office: who they are, how they come, and how they go (R209, R212). */
export function colleagueHandlers({ repo, secrets, passwords, options }: Ports): Colleagues {
  const changed = (stores: Stores, to: string[] = []) =>
    stores.publish({ about: 'users', to, admins: true })

  return {
    adminColleagues:
      ({ at }) =>
      async (stores) => {
        const invitations = (await stores.invitations.list())
          .filter(({ expiresAt }) => expiresAt > at)
          .map(({ hash: _, invitedBy: __, ...shown }) => shown)
        return { body: { colleagues: await stores.users.office(), invitations } }
      },

    async inviteColleague({ input: { email, role }, at }) {
      assertSeenEmail(email)
      return async (stores, actor) => {
        const { ID: invitedBy } = requireAdmin(actor)
        const former = await stores.users.byEmail(email)
        if (former && !(await mayReturn(stores, former, at))) throw new Refusal('email-taken')
        const secret = secrets.invitationSecret()
        const expiresAt = new Date(Date.parse(at) + invitationLifetime).toISOString()
        const ID = former?.ID ?? secrets.id()
        // One to an e-mail that they had before.
        await stores.invitations.remove(ID)
        const about = { ID, hash: secrets.hash(secret), invitedBy }
        await stores.invitations.put({ ...about, email, role, createdAt: at, expiresAt })
        await changed(stores)
        // The fragment is never sent to a server, so it stands in no log.
        const link = `${options.publicOrigin}/invitation#${secret}`
        return { body: { link }, subject: `${ID}: ${role}` }
      }
    },

    async acceptInvitation({ id: secret, input: { name, password }, device, at }) {
      const hash = secrets.hash(secret)
      const found = await repo.read(({ invitations }) => invitations.find(hash))
      if (!found || found.expiresAt <= at) throw new Refusal('invitation')
      const { ID, email, role, invitedBy } = found
      assertName(name)
      await assertUncommonPassword(password, { name, email })
      const passwordHash = await passwords.hash(password)
      return async (stores) => {
        const inviter = await stores.users.lockShared(invitedBy)
        // Of two at once, one finds the invitation.
        const mayInvite = inviter?.role === 'admin' && !isSuspended(inviter, at)
        const isOpen = mayInvite && (await stores.invitations.remove(ID))
        if (!isOpen) throw new Refusal('invitation')
        const former = await stores.users.lock(ID)
        const joining = { ID, name, email, role, Verified: true, passwordHash, createdAt: at }
        const user = former
          ? await takeBack(stores, former, joining)
          : await addColleague(stores, joining)
        await changed(stores)
        return { body: await openSession(secrets, stores, user, at, device), subject: ID }
      }
    },

    changeColleague({ id, input: { role } }) {
      const work = async (stores: Stores, actor: Actor | undefined) => {
        const colleague = await otherColleague(stores, actor, id)
        await stores.users.change(id, { role })
        if (role === 'support') await stores.invitations.removeAllBy(id)
        await changed(stores)
        await stores.publish({ about: 'me', to: [id] })
        const user = { ...colleague, role }
        return { body: { user }, subject: `${id}: ${role}` }
      }
      return Object.assign(work, { alsoLocks: [id] })
    },

    removeColleague({ id }) {
      const work = async (stores: Stores, actor: Actor | undefined) => {
        requireAdmin(actor)
        if (await stores.invitations.remove(id)) {
          await changed(stores)
          return { body: { message: 'The invitation is withdrawn.' } }
        }
        const colleague = await otherColleague(stores, actor, id)
        // Their account stays, as a sender's. One without a phone number has none to verify it by.
        const Verified = colleague.Verified && colleague.phone_number !== ''
        await stores.users.change(id, { role: 'sender', Verified, factor: null })
        await stores.invitations.removeAllBy(id)
        await stores.sessions.endAllOf(id)
        await changed(stores)
        await stores.publish({ about: 'me', to: [id] })
        const message = `${colleague.name} no longer works at the office.`
        return { body: { message } }
      }
      return Object.assign(work, { alsoLocks: [id] })
    },

    // Of one who has lost the phone and the recovery codes (R214).
    removeSecondFactor({ id }) {
      const work = async (stores: Stores, actor: Actor | undefined) => {
        const { name } = await otherColleague(stores, actor, id)
        await stores.users.change(id, { factor: null })
        await changed(stores)
        await stores.publish({ about: 'me', to: [id] })
        return { body: { message: `${name} logs in with the password alone.` } }
      }
      return Object.assign(work, { alsoLocks: [id] })
    },
  }
}

/** The caller as an admin; another one may have changed that since they called. Refusal: support. */
function requireAdmin(actor: Actor | undefined): User {
  const user = requireUser(actor)
  if (user.role !== 'admin') throw new Refusal('support')
  return user
}

/** Whether this account is the one of a colleague who was removed, and can be theirs again (R231). */
async function mayReturn({ audit }: Stores, user: User, at: string): Promise<boolean> {
  if (user.role !== 'sender' || isSuspended(user, at)) return false
  return audit.has('removeColleague', user.ID)
}

type Joining = Omit<Account, 'phone_number'>

async function addColleague(
  { users }: Stores,
  { passwordHash, createdAt, ...joining }: Joining,
): Promise<User> {
  const user = { ...joining, phone_number: '' }
  await users.add({ ...user, passwordHash, createdAt })
  return user
}

/** Gives a removed colleague their account again, and ends what could still log in to it (R231). Refusal: invitation. */
async function takeBack(
  stores: Stores,
  { pendingPhone: _, ...former }: User,
  { name, email, role, passwordHash, createdAt: at }: Joining,
): Promise<User> {
  const { ID } = former
  // Meanwhile it may have become a driver's, or got another e-mail.
  const isTheirs = normalizeEmail(former.email) === normalizeEmail(email)
  if (!isTheirs || !(await mayReturn(stores, former, at))) throw new Refusal('invitation')
  const phone_number = former.Verified ? former.phone_number : ''
  const change = { name, role, phone_number, Verified: true }
  await stores.users.change(ID, { ...change, passwordHash, pendingPhone: null, factor: null })
  await stores.sessions.endAllOf(ID)
  for (const purpose of ['reset', 'verify'] as const) await stores.codes.end(ID, purpose)
  await stores.publish({ about: 'me', to: [ID] })
  const user = { ...former, ...change }
  await refreshContacts(stores, user, at)
  return user
}

/**
 * The colleague with this ID, whom the caller changes. Nobody changes themselves, so one admin always stays (R212).
 * Refusals: support, yourself, not-found.
 */
async function otherColleague(stores: Stores, actor: Actor | undefined, id: string): Promise<User> {
  if (requireAdmin(actor).ID === id) throw new Refusal('yourself')
  const colleague = await stores.users.get(id)
  if (!colleague || !isOffice(colleague)) throw new Refusal('not-found')
  return colleague
}
