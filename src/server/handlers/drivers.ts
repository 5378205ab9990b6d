import { acknowledgeCancel, isHeld } from '#domain/deliveries/cancel-hold.ts'
import { isDriverOf, type Status } from '#domain/deliveries/delivery.ts'
import { proveReturn } from '#domain/deliveries/returns.ts'
import { accept, deliver } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import { licencesAfter } from '#domain/users/licence.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import { type Handlers, requireUser } from '../http/handler.ts'
import { attemptKey, findTooMany } from '../limits/rate-limits.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { cardOf, refreshContacts } from '../rules/contacts.ts'
import { provesHandover, provesReturn } from '../rules/handover-proof.ts'
import { saveByDriver } from '../rules/late-reports.ts'
import { markPhotoUsed } from '../rules/photo-privacy.ts'
import { isHostedPhoto } from '../rules/photo-url.ts'
import { saveDelivery } from '../rules/save-delivery.ts'
import { deliveryLists, visibleTo } from '../rules/visibility.ts'
import { noteWrongCode } from '../rules/wrong-codes.ts'

type DriverHandlers = Pick<
  Handlers,
  | 'driverStatus'
  | 'availableDeliveries'
  | 'driverDeliveries'
  | 'acceptDelivery'
  | 'completeDelivery'
  | 'acknowledgeCancel'
  | 'changeDriverCard'
>

const underWay: Status[] = ['Accepted', 'Picked Up']

/** Finding jobs (R51), accepting one (R24), and delivering it with the recipient's code (R25). */
export function driverHandlers(ports: Ports): DriverHandlers {
  const { secrets, options } = ports
  const answerList = deliveryLists(ports)

  async function tellOffice(stores: Stores, { ID, name }: User, at: string) {
    const Message = `${name} changed their courier licence: it counts once it is checked`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
    await stores.publish({ about: 'drivers', id: ID, to: [], admins: true })
  }

  return {
    driverStatus: () => async (_stores, actor) => ({
      body: { status: requireUser(actor).driverStatus ?? 'pending' },
    }),

    availableDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (!isApprovedDriver(user)) throw new Refusal('driver-not-approved')
        const pickupZone = query.pickupZone || undefined
        const dropoffZone = query.dropoffZone || undefined
        const of = { forDriver: user.ID }
        const only = { pickupZone, dropoffZone }
        return answerList(stores.deliveries.list, user, { of, only, statuses: ['Pending'] }, query)
      },

    driverDeliveries:
      ({ query }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const includesCompleted = ['true', '1'].includes(query.include_completed ?? '')
        const list = { of: { driver: user.ID }, statuses: includesCompleted ? undefined : underWay }
        return answerList(stores.deliveries.list, user, list, query)
      },

    acceptDelivery:
      ({ id, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const [before, card] = await Promise.all([stores.deliveries.lock(id), cardOf(stores, user)])
        if (!before) throw new Refusal('not-found')
        // They accepted it before: their own repeat is no conflict with another driver.
        if (isDriverOf(before, user)) throw new Refusal('wrong-status')
        const after = accept(before, user, when, card)
        const saved = await saveDelivery(stores, secrets, before, after, actor)
        return { body: { delivery: visibleTo(actor, saved) } }
      },

    completeDelivery:
      ({ id, input, at, when }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        if (input.code?.trim() === '')
          throw new Refusal('invalid', 'Please enter the delivery code')
        const limit = options.limits.deliveryCode
        const [before, tooMany] = await Promise.all([
          stores.deliveries.lock(id),
          findTooMany(stores, secrets, limit, id, at),
        ])
        if (!before || !isDriverOf(before, user)) throw new Refusal('not-found')
        const dueAt = new Date(Date.parse(at) + options.exits.autoApprove).toISOString()
        const due = isHeld(before) ? {} : { dueAt }
        const delivered = { ...deliver(before, user, when), ...due }
        const isCode = input.code !== undefined
        if (before.codeLocked && isCode) throw new Refusal('code-locked')
        // The digits that were guessed at are refused for good: nobody guesses the secret (R135).
        if (tooMany && !before.codeLocked) throw tooMany
        const isReturned = provesReturn(before, input)
        if (!isReturned && !provesHandover(before, input)) {
          const key = attemptKey(secrets, limit, id)
          await stores.attempts.add({ id: secrets.id(), key, at })
          if (isCode) await noteWrongCode(stores, secrets, before, at)
          return { refusal: new Refusal('wrong-code') }
        }
        const after = isReturned ? proveReturn(before, user, when, options.exits) : delivered
        return saveByDriver(stores, secrets, before, after, { user })
      },

    acknowledgeCancel:
      ({ id, at }) =>
      async (stores, actor) => {
        const user = requireUser(actor)
        const before = await stores.deliveries.lock(id)
        if (!before || !isDriverOf(before, user)) throw new Refusal('not-found')
        const after = acknowledgeCancel(before, user, at)
        const saved =
          after === before ? before : await saveDelivery(stores, secrets, before, after, actor)
        return { body: { delivery: visibleTo(actor, saved) } }
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
