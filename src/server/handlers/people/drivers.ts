import type { Status } from '#domain/deliveries/delivery.ts'
import { takenFrom } from '#domain/deliveries/office/office.ts'
import { Refusal } from '#domain/errors.ts'
import { assertMayApply } from '#domain/users/driver.ts'
import { licencesAfter } from '#domain/users/licence.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import { notifyOffice } from '../../notifications/notify.ts'
import { type Handlers, requireUser } from '../../ports/handler.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Stores } from '../../ports/repo.ts'
import type { DeliveryList } from '../../ports/stores/delivery-stores.ts'
import { refuseIdNumber } from '../../rules/accounts/id-numbers.ts'
import { refreshContacts } from '../../rules/contacts.ts'
import { isHostedPhoto, keepIdPhoto, markPhotoUsed } from '../../rules/photos.ts'
import { deliveryLists } from '../../rules/visibility.ts'
import { assertKnown, readWay, routeFinder, withDetours } from '../../rules/ways.ts'

type DriverHandlers = Pick<
  Handlers,
  'applyAsDriver' | 'driverStatus' | 'availableDeliveries' | 'driverDeliveries' | 'changeDriverCard'
>

const underWay: Status[] = ['Accepted', 'Picked Up']

/** Becoming a driver (R6), finding jobs (R51), and what senders see of a driver (R114). */
export function driverHandlers(ports: Ports): DriverHandlers {
  const { secrets, options } = ports
  const readList = deliveryLists(ports)
  const findRoutes = routeFinder()

  async function tellOffice(stores: Stores, { ID, name }: User, at: string) {
    const Message = `${name} changed their courier licence: it counts once it is checked`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    await stores.publish({ about: 'drivers', id: ID, to: [], admins: true })
  }

  return {
    async applyAsDriver({ input: { idPhoto, ...id }, at, log }) {
      if (!isHostedPhoto(idPhoto, options.imageHost)) throw new Refusal('id-photo-not-hosted')
      const keepPhoto = await keepIdPhoto({ ...ports, log }, idPhoto)
      return async (stores, actor) => {
        const before = requireUser(actor)
        const { ID, name } = before
        assertMayApply(before)
        const refusal = await refuseIdNumber(stores, secrets, { ...before, ...id, at })
        if (refusal) return { refusal }
        const photo = await keepPhoto(stores, at)
        await stores.applications.add({ userId: ID, ...id, idPhoto: photo, createdAt: at })
        await stores.users.change(ID, { role: 'driver', driverStatus: 'pending' })
        const again = before.driverStatus === 'rejected' ? ' again' : ''
        const Message = `${name} applied as a driver${again}`
        await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
        await stores.publish({ about: 'me', to: [ID] })
        await stores.publish({ about: 'drivers', id: ID, to: [], admins: true })
        await notifyOffice(stores, { kind: 'office-application', at })
        const user = await stores.users.get(ID)
        if (!user) throw new Refusal('no-session')
        return { body: { user } }
      }
    },

    driverStatus: () => async (stores, actor) => {
      const { ID, driverStatus: status = 'pending' } = requireUser(actor)
      if (status !== 'rejected') return { body: { status } }
      return { body: { status, reason: (await stores.applications.get(ID))?.reason } }
    },

    availableDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (!isApprovedDriver(user)) throw new Refusal('driver-not-approved')
        const pickupZone = query.pickupZone || undefined
        const dropoffZone = query.dropoffZone || undefined
        const list: DeliveryList = {
          of: { forDriver: user.ID },
          only: { pickupZone, dropoffZone },
          statuses: ['Pending'],
        }
        const way = readWay(query)
        if (!way) return readList(stores.deliveries.list, user, list, query)
        const zones = await stores.zones.list()
        assertKnown(zones, way)
        const routes = findRoutes(zones, way)
        const found = await readList(stores.deliveries.list, user, { ...list, routes }, query)
        return withDetours(found, routes)
      },

    driverDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const includesCompleted = ['true', '1'].includes(query.include_completed ?? '')
        const list = { of: { driver: user.ID }, statuses: includesCompleted ? undefined : underWay }
        const found = await readList(stores.deliveries.list, user, list, query)
        const taken = await takenOf(stores, user, found.body.removed)
        return taken.length > 0 ? { ...found, body: { ...found.body, taken } } : found
      },

    changeDriverCard:
      ({ input: { photo, licenceNumber, licenceExpires }, at }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (photo && !isHostedPhoto(photo, options.imageHost))
          throw new Refusal('photo-not-hosted', 'Please upload your photo first.')
        const licences = licencesOf(user, { licenceNumber, licenceExpires }, at)
        await stores.users.change(user.ID, { photo: photo === '' ? null : photo, ...licences })
        if (licences.licencePending) await tellOffice(stores, user, at)
        await markPhotoUsed(stores, ports, photo)
        const changed = await stores.users.get(user.ID)
        if (!changed) throw new Refusal('no-session')
        await refreshContacts(stores, changed, at)
        await stores.publish({ about: 'me', to: [user.ID] })
        return { body: { user: changed } }
      },
  }
}

/** Why the office took those of these jobs that it took from the driver (R192). */
async function takenOf(stores: Stores, { ID: driver }: User, removed: string[] = []) {
  const found = await Promise.all(removed.map((id) => stores.deliveries.get(id)))
  return found.flatMap((delivery) => {
    const taken = delivery && takenFrom(delivery, driver)
    return taken ? [{ ID: delivery.ID, reason: taken.reason, at: taken.at }] : []
  })
}

type TypedLicence = { licenceNumber?: string; licenceExpires?: string }

/** What a change of the card does to the driver's licences: nothing where it names none (R139). Refusals: invalid, licence-expired. */
function licencesOf(user: User, { licenceNumber, licenceExpires }: TypedLicence, at: string) {
  if (licenceNumber === undefined && licenceExpires === undefined) return {}
  const shown = user.licencePending ?? user.licence
  const number = licenceNumber ?? shown?.number ?? ''
  const expires = licenceExpires ?? shown?.expires ?? ''
  if ((number === '') !== (expires === ''))
    throw new Refusal('invalid', 'A licence needs its number and its last day.')
  const driver = { licence: user.licence, isApproved: isApprovedDriver(user) }
  const { licence, licencePending } = licencesAfter(
    driver,
    number === '' ? undefined : { number, expires },
    at,
  )
  return { licence: licence ?? null, licencePending: licencePending ?? null }
}
