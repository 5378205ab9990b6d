import type { QueryOf } from '#contract/queries.ts'
import { type Delivery, Status } from '#domain/deliveries/delivery.ts'
import { unpaidStatus } from '#domain/deliveries/payment.ts'
import { Refusal } from '#domain/errors.ts'
import { allowedDecisions } from '#domain/users/driver.ts'
import type { User } from '#domain/users/user.ts'
import { notifyOfDecision } from '../../notifications/notify.ts'
import { type Handlers, readPage, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { DeliveryList } from '../../ports/stores/delivery-stores.ts'
import { factsOf } from '../../rules/accounts/facts.ts'
import { refreshContacts } from '../../rules/contacts.ts'
import { startOfDay } from '../../rules/days.ts'
import { releaseJobsOf } from '../../rules/deliveries/rejected-driver.ts'
import { deliveryLists, readStatuses, visibleTo } from '../../rules/visibility.ts'

type AdminHandlers = Pick<
  Handlers,
  | 'adminStats'
  | 'adminTrends'
  | 'adminActivities'
  | 'adminUsers'
  | 'adminUser'
  | 'adminDeliveries'
  | 'adminDrivers'
  | 'adminDriversWithDetails'
  | 'reviewDriver'
  | 'adminAudit'
>

/** Activities sent to the dashboard, which shows fewer. */
const maxActivities = 50
/** Deliveries sent with one person's page. */
const maxDeliveriesOfUser = 200

/** What admins see of everybody, and their decisions on drivers (R4). */
export function adminHandlers(ports: Ports): AdminHandlers {
  const { secrets } = ports
  const readList = deliveryLists(ports)
  const drivers =
    ({ query }: { query: QueryOf<'adminDrivers'> }) =>
    async (stores: Stores) => {
      const { rows, ...rest } = await stores.applications.list(readPage(query), query.status)
      const counts = await stores.applications.counts()
      return { body: { drivers: rows, ...rest, counts } }
    }

  /** An admin has looked at a changed licence: accepted it counts, refused the one before stays (R139). */
  async function reviewLicence(
    stores: Stores,
    { ID, name, licencePending }: User,
    decision: 'accepted' | 'refused',
    at: string,
  ) {
    if (!licencePending) throw new Refusal('wrong-status', 'There is no changed licence to check.')
    const licence = decision === 'accepted' ? { licence: licencePending } : {}
    await stores.users.change(ID, { ...licence, licencePending: null })
    const changed = await stores.users.get(ID)
    const driver = await stores.applications.get(ID)
    if (!changed || !driver) throw new Refusal('not-found')
    await refreshContacts(stores, changed, at)
    const Message = `The courier licence of ${name} was ${decision}`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    await stores.publish({ about: 'me', to: [ID] })
    await stores.publish({ about: 'drivers', id: ID, to: [], admins: true })
    return { body: { driver }, subject: `${ID}: licence ${decision}` }
  }

  return {
    adminStats:
      ({ at }) =>
      async (stores) => ({
        body: { stats: { ...(await stores.stats()), work: await stores.work(at) } },
      }),

    adminTrends: ({ query, at }) => {
      const days = query.days === undefined ? 30 : Number(query.days)
      if (!Number.isInteger(days) || days < 1 || days > 366)
        throw new Refusal('invalid', 'The days must be a whole number from 1 to 366.')
      return async (stores) => ({ body: { trends: await stores.trends(days, at) } })
    },

    adminActivities: () => async (stores) => ({
      body: { activities: await stores.activities.list(maxActivities) },
    }),

    adminUsers:
      ({ query }) =>
      async (stores) => {
        const { rows, ...rest } = await stores.users.list(readPage(query))
        return { body: { users: rows.map(withoutSettings), ...rest } }
      },

    adminUser:
      ({ id }) =>
      async (stores, actor) => {
        const user = await stores.users.get(id)
        if (!user) throw new Refusal('not-found')
        const list = { of: { party: id } }
        const found = await stores.deliveries.list(list, { limit: maxDeliveriesOfUser })
        const counts = await stores.deliveries.countByStatus(list)
        const total = sum(Object.values(counts))
        const deliveries = found.rows.map((row) => withDeliverer(visibleTo(actor, row)))
        const application = await stores.applications.get(id)
        const shown = withoutSettings(user)
        const about = await factsOf(stores, user, found.rows)
        return { body: { user: shown, deliveries, application, about, total, next: found.next } }
      },

    adminDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const isUnpaid = query.status === unpaidStatus
        const statuses = isUnpaid ? ['Pending' as const] : readStatuses(query.status)
        const unpaid = statuses && isUnpaid
        const list = { of: 'everyone' as const, only: readOnly(query), statuses, unpaid }
        const { body, tag } = await readList(
          stores.deliveries.listCounted,
          requireUser(actor),
          list,
          { ...query, status: undefined },
        )
        const { counts, unpaid: apart = 0, atLeast, ...page } = body
        const all: Record<string, number | undefined> = { ...counts, [unpaidStatus]: apart }
        const shown = isUnpaid ? [unpaidStatus] : (statuses ?? [...Status.options, unpaidStatus])
        const total = sum([...new Set(shown)].map((status) => all[status] ?? 0))
        const deliveries = page.deliveries.map(withDeliverer)
        return {
          body: {
            ...page,
            deliveries,
            ...(atLeast === undefined
              ? { total, counts, unpaidRequests: apart || undefined }
              : { total: statuses ? 0 : atLeast, atLeast: true }),
          },
          tag: `${tag} of ${JSON.stringify([counts, apart])}`,
        }
      },

    adminAudit:
      ({ query }) =>
      async (stores) => {
        const { rows, ...rest } = await stores.audit.list(readPage(query))
        return { body: { entries: rows, ...rest } }
      },

    adminDrivers: drivers,
    adminDriversWithDetails: drivers,

    reviewDriver:
      ({ id, input: { status, licence, reason }, at }) =>
      async (stores) => {
        const driver = await stores.users.lock(id)
        const application = await stores.applications.get(id)
        if (!driver || !application) throw new Refusal('not-found')
        if (licence) return reviewLicence(stores, driver, licence, at)
        if (!status) throw new Refusal('invalid')
        if (!allowedDecisions(application.Status).includes(status))
          throw new Refusal('wrong-status')
        await stores.users.change(id, { driverStatus: status })
        await stores.applications.change(id, status, at, reason)
        const Message = `${driver.name} was ${status} as a driver`
        const Type = `driver_${status}`
        await stores.activities.add({ ID: secrets.id(), Type, Message, CreatedAt: at })
        // First, so that a rejected driver does not hear of their own jobs as on offer (R96).
        await stores.publish({ about: 'me', to: [id] })
        if (status === 'rejected') await releaseJobsOf(stores, secrets, id, at)
        await stores.publish({ about: 'drivers', id, to: [], admins: true })
        await notifyOfDecision(stores, secrets, id, at)
        return {
          body: { driver: { ...application, Status: status, reason } },
          subject: `${id}: ${status}${reason ? `, ${reason}` : ''}`,
        }
      },
  }
}

/** What somebody is told of is theirs alone (R121). */
export const withoutSettings = ({
  notifications: _,
  commutes: __,
  pendingPayout: ___,
  ...user
}: User): User => user

const sum = (counts: number[]) => counts.reduce((all, each) => all + each, 0)

/** The route and the days of a query; both days belong to it. Refusal: invalid. */
function readOnly(query: QueryOf<'adminDeliveries'>): DeliveryList['only'] {
  const { pickupZone, dropoffZone, createdFrom, createdTo } = query
  return {
    pickupZone: pickupZone || undefined,
    dropoffZone: dropoffZone || undefined,
    createdFrom: createdFrom ? startOfDay(createdFrom) : undefined,
    createdBefore: createdTo ? startOfDay(createdTo, 1) : undefined,
  }
}

/** Adds `Deliverer`, the name admin clients read the driver's side by. */
export function withDeliverer(delivery: Delivery): Delivery {
  const { driver } = delivery
  if (!driver) return delivery
  const Deliverer = { Name: driver.name, Email: driver.email }
  return Object.assign({ ...delivery }, { Deliverer })
}
