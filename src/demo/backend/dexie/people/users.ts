import { Refusal } from '#domain/errors.ts'
import { renamedTrips, type Trip } from '#domain/users/commutes.ts'
import type { DriverApplication } from '#domain/users/driver.ts'
import { summaryOf } from '#domain/users/rating.ts'
import type { SignKind } from '#domain/users/standing/person-facts.ts'
import { isApprovedDriver, isOffice, normalizeEmail, type User } from '#domain/users/user.ts'
import type {
  Account,
  Codes,
  ConfirmedPhones,
  Invitations,
  Sessions,
  Users,
} from '#server/ports/stores/account-stores.ts'
import type { Applications, UserNotes } from '#server/ports/stores/record-stores.ts'
import { type ApplicationRow, type ServerDb, type UserRow, wasAdded } from '../database.ts'
import { matchesSearch, pageOf, type Sortings } from '../page-of.ts'
import { applicationPhotosOver } from '../photos.ts'
import { foundByHash } from '../small-stores.ts'

function toAccount({ emailKey: _, phoneChangedAt: __, ...account }: UserRow): Account {
  return account
}

function toUser(row: UserRow): User {
  const { passwordHash: _, createdAt: __, ratedStars, ratedTimes, ...user } = row
  const { emailKey: ___, phoneChangedAt: ____, factor, ...shown } = user
  const rating = summaryOf(ratedStars ?? 0, ratedTimes ?? 0)
  return {
    ...shown,
    ...(rating ? { rating } : {}),
    ...(factor?.isOn ? { secondFactor: true } : {}),
  }
}

const sortings: Sortings<UserRow> = {
  createdAt: ({ createdAt }) => createdAt,
  name: ({ name }) => name.toLowerCase(),
  email: ({ emailKey }) => emailKey,
}

export function usersOver({ users, deliveries, applications, devices }: ServerDb): Users {
  const get = async (id: string) => {
    const row = await users.get(id)
    return row && toUser(row)
  }
  return {
    get,
    lockShared: get,
    lock: get,
    async byEmail(email) {
      const row = await users.get({ emailKey: normalizeEmail(email) })
      return row && toAccount(row)
    },
    async byVerifiedPhone(phone) {
      const row = newest((await withPhone(users, phone)).filter(({ Verified }) => Verified))
      return row && toAccount(row)
    },
    async byUnverifiedPhone(phone) {
      const row = newest(
        await users
          .filter(
            ({ phone_number, Verified, pendingPhone }) =>
              pendingPhone === phone || (phone_number === phone && !Verified),
          )
          .toArray(),
      )
      return row && toUser(row)
    },
    phoneChangedAt: async (id) => (await users.get(id))?.phoneChangedAt,
    async driverRecord(id) {
      const jobs = await deliveries.where('marks').equals(`driver:${id}`).toArray()
      return {
        since: (await users.get(id))?.createdAt ?? '',
        deliveries: jobs.filter(({ delivery }) => delivery.status === 'Approved').length,
      }
    },
    async rate(id, stars) {
      const row = await users.get(id)
      if (!row) return undefined
      const { ratedStars = 0, ratedTimes = 0 } = row
      await users.put({ ...row, ratedStars: ratedStars + stars, ratedTimes: ratedTimes + 1 })
      return get(id)
    },
    async office() {
      const rows = await users.filter(isOffice).toArray()
      return rows.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(toUser)
    },
    async findAdmin() {
      const row = newest(await users.filter(({ role }) => role === 'admin').toArray())
      return row && toUser(row)
    },
    async add(account) {
      const emailKey = normalizeEmail(account.email)
      if (await users.get({ emailKey })) throw new Refusal('email-taken')
      await assertPhoneIsFree(users, account)
      await users.add({ ...account, emailKey })
    },
    async change(id, change) {
      const row = await users.get(id)
      if (!row) return
      const changes = Object.entries(change).filter(([, value]) => value !== undefined)
      const changed = { ...row, ...Object.fromEntries(changes) } as UserRow
      for (const name of removable) if (change[name] === null) delete changed[name]
      changed.emailKey = normalizeEmail(changed.email)
      const other = await users.get({ emailKey: changed.emailKey })
      if (other && other.ID !== id) throw new Refusal('email-taken')
      await assertPhoneIsFree(users, changed)
      await users.put(changed)
    },
    async list(page) {
      const numbers = new Map<string, string>()
      await applications.each(({ userId, idNumber }) => numbers.set(userId, idNumber))
      const rows = await users
        .filter(({ ID, name, email, phone_number, role }) =>
          matchesSearch(page.search, [name, email, phone_number, role, numbers.get(ID)]),
        )
        .toArray()
      const paged = pageOf(rows, sortings, ({ ID }) => ID, page)
      return { ...paged, rows: paged.rows.map(toUser) }
    },
    async renameZone(before, after) {
      const names = ({ from, to }: Trip) => from === before || to === before
      const rows = await users
        .filter(({ commutes = [], notifications }) =>
          [...commutes, ...(notifications?.routes ?? [])].some(names),
        )
        .toArray()
      for (const row of rows) {
        const { commutes, notifications } = row
        if (commutes) row.commutes = renamedTrips(commutes, before, after)
        if (notifications?.routes) {
          const routes = renamedTrips(notifications.routes, before, after)
          row.notifications = { ...notifications, routes }
        }
      }
      await users.bulkPut(rows)
      return rows.map(({ ID }) => ID)
    },
    joinedAt: async (id) => (await users.get(id))?.createdAt ?? '',
    async twins(id) {
      const [me, mine] = [await users.get(id), await applications.get(id)]
      const applied = new Map((await applications.toArray()).map((row) => [row.userId, row]))
      const seen = await devices.filter(({ userIds }) => userIds?.includes(id) === true).toArray()
      const sharesDevice = new Set(seen.flatMap(({ userIds = [] }) => userIds))
      const phones = [me?.phone_number, me?.pendingPhone].filter((phone) => phone)
      const others = await users.filter(({ ID }) => ID !== id).toArray()
      const kindsOf = (other: UserRow): SignKind[] => {
        const theirs = applied.get(other.ID)
        const isNumber =
          mine && theirs && idNumberKey(mine.idNumber) === idNumberKey(theirs.idNumber)
        const isPhoto =
          (mine?.idPhoto && mine.idPhoto === theirs?.idPhoto) ||
          (me?.photo && me.photo === other.photo)
        const isPhone =
          phones.includes(other.phone_number) || other.pendingPhone === me?.phone_number
        return [
          ...(isNumber ? ['id-number' as const] : []),
          ...(isPhoto ? ['photo' as const] : []),
          ...(isPhone ? ['phone' as const] : []),
          ...(sharesDevice.has(other.ID) ? ['device' as const] : []),
        ]
      }
      return others
        .sort((a, b) => a.createdAt.localeCompare(b.createdAt))
        .flatMap((other) =>
          kindsOf(other).map((kind) => ({ kind, ID: other.ID, name: other.name })),
        )
        .slice(0, 20)
    },
    suspendedUntil: async (at, limit) =>
      users
        .filter(({ suspended }) => suspended?.until !== undefined && suspended.until <= at)
        .limit(limit)
        .primaryKeys(),
    async commutes(limit) {
      const rows = await users
        .filter((row) => isApprovedDriver(row) && row.commutes !== undefined)
        .limit(limit)
        .toArray()
      return rows.map(({ ID, commutes = [] }) => ({ ID, commutes }))
    },
  }
}

const removable = [
  'pendingPhone',
  'photo',
  'licence',
  'licencePending',
  'payout',
  'nextPayout',
  'pendingPayout',
  'suspended',
  'factor',
] as const

const withPhone = (users: ServerDb['users'], phone: string) =>
  users.where('phone_number').equals(phone).toArray()

/** The one who signed up last. */
const newest = (rows: UserRow[]): UserRow | undefined =>
  rows.sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0]

/** Throws the refusal `phone-taken` (R7). Only a verified number belongs to somebody. */
async function assertPhoneIsFree(
  users: ServerDb['users'],
  { ID, phone_number, Verified }: User,
): Promise<void> {
  if (!Verified || phone_number === '') return
  const others = await withPhone(users, phone_number)
  if (others.some((other) => other.Verified && other.ID !== ID)) throw new Refusal('phone-taken')
}

async function findSession(
  { sessions, users }: Pick<ServerDb, 'sessions' | 'users'>,
  hash: string,
) {
  const found = await sessions.get(hash)
  const row = found && (await users.get(found.userId))
  return (
    row && { user: toUser(row), createdAt: found.createdAt ?? found.usedAt, usedAt: found.usedAt }
  )
}

export const sessionsOver = ({ sessions, users }: ServerDb): Sessions => ({
  async add(session) {
    await sessions.add(session)
  },
  find: (hash) => findSession({ sessions, users }, hash),
  findMany: (hashes) => foundByHash(hashes, (hash) => findSession({ sessions, users }, hash)),
  async touch(hash, usedAt) {
    await sessions.update(hash, { usedAt })
  },
  end: (hash) => sessions.delete(hash),
  async listOf(userId) {
    const rows = await sessions.where({ userId }).toArray()
    return rows
      .map((row) => ({ id: row.hash, createdAt: row.usedAt, device: '', ...row }))
      .sort((a, b) => (a.usedAt < b.usedAt ? 1 : -1))
  },
  endOf: async (userId, id) =>
    (await sessions
      .where({ userId })
      .filter((row) => row.id === id)
      .delete()) > 0,
  async endAllOf(userId, except) {
    await sessions
      .where({ userId })
      .filter(({ hash }) => hash !== except)
      .delete()
  },
  async sweep(usedBefore, createdBefore) {
    await sessions
      .filter(({ usedAt, createdAt = usedAt }) => usedAt < usedBefore || createdAt < createdBefore)
      .delete()
  },
})

export const invitationsOver = ({ invitations }: ServerDb): Invitations => ({
  async put(invitation) {
    const emailKey = normalizeEmail(invitation.email)
    await invitations.where({ emailKey }).delete()
    await invitations.add({ ...invitation, emailKey })
  },
  find: (hash) => invitations.get({ hash }),
  list: () => invitations.toCollection().sortBy('createdAt'),
  async remove(id) {
    const isThere = (await invitations.get(id)) !== undefined
    await invitations.delete(id)
    return isThere
  },
  async removeAllBy(userId) {
    await invitations.filter(({ invitedBy }) => invitedBy === userId).delete()
  },
  async sweep(expiredBefore) {
    await invitations.filter(({ expiresAt }) => expiresAt < expiredBefore).delete()
  },
})

export const codesOver = ({ codes }: ServerDb): Codes => ({
  async put(code) {
    await codes.put(code)
  },
  lock: (phone, purpose) => codes.where({ phone, purpose }).sortBy('userId'),
  async countWrong({ userId, purpose }) {
    await codes.where({ userId, purpose }).modify((code) => {
      code.wrong++
    })
  },
  end: (userId, purpose) => codes.delete([userId, purpose]),
  async sweep(expiredBefore) {
    await codes.filter(({ expiresAt }) => expiresAt < expiredBefore).delete()
  },
})

export const confirmedPhonesOver = ({ confirmedPhones }: ServerDb): ConfirmedPhones => ({
  has: async (key) => (await confirmedPhones.get(key)) !== undefined,
  async add(key, at) {
    await wasAdded(confirmedPhones.add({ key, at }))
  },
  remove: (key) => confirmedPhones.delete(key),
})

/** As PostgreSQL compares them (R201). */
const idNumberKey = (idNumber: string) => idNumber.replace(/[^a-z0-9]/gi, '').toUpperCase()

type Applicant = { row: ApplicationRow; user: UserRow }

const applicationSortings: Sortings<Applicant> = {
  createdAt: ({ row }) => row.createdAt,
  name: ({ user }) => user.name.toLowerCase(),
}

export function applicationsOver(db: ServerDb): Applications {
  const { applications, users } = db
  async function applicants(rows: ApplicationRow[]): Promise<Applicant[]> {
    const people = await users.bulkGet(rows.map(({ userId }) => userId))
    return rows.flatMap((row, index) => {
      const user = people[index]
      return user ? { row, user } : []
    })
  }
  return {
    ...applicationPhotosOver(db),
    async add(application) {
      await applications.put({ ...application, status: 'pending' })
    },
    async get(userId) {
      const row = await applications.get(userId)
      const [found] = row ? await applicants([row]) : []
      return found && toApplication(found)
    },
    async change(userId, status, at, reason) {
      await applications.update(userId, { status, decidedAt: at, reason })
    },
    async lockIdNumber(idNumber) {
      const key = idNumberKey(idNumber)
      const rows = await applications.filter((row) => idNumberKey(row.idNumber) === key).toArray()
      return rows.map(({ userId }) => userId)
    },
    async list(page, status) {
      const rows = await applications.filter((row) => !status || row.status === status).toArray()
      const matching = (await applicants(rows)).filter(({ row, user }) =>
        matchesSearch(page.search, [user.name, user.email, user.phone_number, row.idNumber]),
      )
      const paged = pageOf(matching, applicationSortings, ({ row }) => row.userId, page)
      return { ...paged, rows: paged.rows.map(toApplication) }
    },
    async counts() {
      const counts = { pending: 0, approved: 0, rejected: 0 }
      await applications.each(({ status }) => {
        counts[status]++
      })
      return counts
    },
  }
}

const toApplication = ({ row, user }: Applicant): DriverApplication => ({
  ID: row.userId,
  Status: row.status,
  User: { Name: user.name, Email: user.email, Phone: user.phone_number },
  CreatedAt: row.createdAt,
  DecidedAt: row.decidedAt,
  IDType: row.idType,
  IDNumber: row.idNumber,
  IDPhoto: row.idPhoto || undefined,
  reason: row.reason,
  licence: user.licence,
  licencePending: user.licencePending,
})

export const userNotesOver = ({ userNotes }: ServerDb): UserNotes => ({
  async add(note) {
    await userNotes.add(note)
  },
  async list(userId) {
    const rows = await userNotes.where({ userId }).toArray()
    return rows.sort((a, b) => `${b.at} ${b.ID}`.localeCompare(`${a.at} ${a.ID}`))
  },
})
