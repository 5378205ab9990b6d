import { contest } from '#domain/deliveries/contest.ts'
import { type Actor, type Delivery, isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { renewCode } from '#domain/deliveries/delivery-code.ts'
import { rate, sideOf } from '#domain/deliveries/rate.ts'
import { attempt, confirmReturn, startReturn } from '#domain/deliveries/returns.ts'
import { releaseJob } from '#domain/deliveries/transitions.ts'
import { Refusal } from '#domain/errors.ts'
import type { User } from '#domain/users/user.ts'
import { type Handlers, requireActor, requireUser, type Work } from '../http/handler.ts'
import { attemptKey, countOrRefuse } from '../limits/rate-limits.ts'
import type { Ports } from '../ports/ports.ts'
import type { Stores } from '../ports/repo.ts'
import { equalSecrets } from '../ports/secrets.ts'
import type { StoredDelivery } from '../ports/stores/deliveries.ts'
import { refreshContacts, showRating } from '../rules/contacts.ts'
import { ratingCounts } from '../rules/count-rating.ts'
import { openDispute } from '../rules/open-disputes.ts'
import { markPhotoUsed } from '../rules/photo-privacy.ts'
import { isHostedPhoto } from '../rules/photo-url.ts'
import { saveDelivery } from '../rules/save-delivery.ts'
import { visibleTo } from '../rules/visibility.ts'

type ExitHandlers = Pick<
  Handlers,
  | 'releaseJob'
  | 'reportAttempt'
  | 'startReturn'
  | 'contestPickUp'
  | 'confirmReturn'
  | 'renewCode'
  | 'rateDelivery'
>

/** The give-back of a driver in a day that the office hears of (R101). */
const toldGiveBack = 3

/** The ways a delivery ends otherwise than planned (R101 to R105), and what both sides say of it (R113). */
export function exitHandlers(ports: Ports): ExitHandlers {
  const { repo, secrets, options } = ports
  const { exits } = options

  async function jobOf(stores: Stores, actor: Actor | undefined, id: string) {
    const user = requireUser(actor)
    const before = await stores.deliveries.lock(id)
    if (!before || !isDriverOf(before, user)) throw new Refusal('not-found')
    return { user, before }
  }

  /** Whoever accepts and gives back may only want to read contacts (R101). */
  const tellOffice = (stores: Stores, { name, email }: User, at: string) =>
    stores.activities.add({
      ID: secrets.id(),
      Type: 'other',
      Message: `${name} (${email}) has given back ${toldGiveBack} jobs in a day`,
      CreatedAt: at,
    })

  async function save(
    stores: Stores,
    actor: Actor | undefined,
    before: StoredDelivery,
    after: Delivery,
  ) {
    const saved = await saveDelivery(stores, secrets, before, after, actor)
    return { body: { delivery: visibleTo(actor, saved) } }
  }

  return {
    releaseJob:
      ({ id, input: { reason }, when }) =>
      async (stores, actor) => {
        const { user, before } = await jobOf(stores, actor, id)
        const after = releaseJob(before, user, reason, when)
        const { giveBacks } = options.limits
        const count = await countOrRefuse(stores, secrets, giveBacks, user.ID, when.at)
        if (count === toldGiveBack) await tellOffice(stores, user, when.at)
        const saved = await saveDelivery(stores, secrets, before, after, actor)
        // They are its driver no longer, and see it as any driver who looks for jobs.
        return { body: { delivery: visibleTo(actor, saved) } }
      },

    reportAttempt:
      ({ id, input, when }) =>
      async (stores, actor) => {
        const { user, before } = await jobOf(stores, actor, id)
        const { photo } = input
        if (photo !== undefined && !isHostedPhoto(photo, options.imageHost))
          throw new Refusal('photo-not-hosted', 'Please upload the photo first.')
        await markPhotoUsed(stores, ports, photo)
        return save(stores, actor, before, attempt(before, user, input, when, exits))
      },

    startReturn:
      ({ id, input: { note }, when }) =>
      async (stores, actor) => {
        const { user, before } = await jobOf(stores, actor, id)
        const made = {
          returnCode: otherCode(secrets.digits, before.deliveryCode),
          dueAt: new Date(Date.parse(when.at) + exits.autoApprove).toISOString(),
        }
        return save(stores, actor, before, startReturn(before, user, note, when, made))
      },

    contestPickUp:
      ({ id, key, input: { reason, guestPhone }, at }) =>
      async (stores, actor) => {
        const sender = requireActor(actor)
        const before = await stores.deliveries.lock(id)
        if (!before || !isSenderOf(before, sender)) throw new Refusal('not-found')
        assertPhone(before, guestPhone)
        const change = contest(before, sender, at)
        const report = {
          ID: key ?? secrets.id(),
          issue: reason,
          side: 'sender' as const,
          at,
          reporter: before.senderName,
        }
        const opened = await openDispute(stores, secrets, before, report, { change, by: sender })
        const Message = `Pick-up contested: ${before.itemDescription}`
        const activity = { ID: secrets.id(), Type: 'other', Message, CreatedAt: at }
        await stores.activities.add(activity)
        const delivery = visibleTo(actor, opened.delivery)
        return { body: { delivery, dispute: opened.dispute } }
      },

    confirmReturn:
      ({ id, input: { guestPhone }, when }) =>
      async (stores, actor) => {
        const sender = requireActor(actor)
        const before = await stores.deliveries.lock(id)
        if (!before || !isSenderOf(before, sender)) throw new Refusal('not-found')
        assertPhone(before, guestPhone)
        return save(stores, actor, before, confirmReturn(before, sender, when, exits))
      },

    renewCode:
      ({ id, input: { guestPhone }, when }) =>
      async (stores, actor) => {
        const sender = requireActor(actor)
        const before = await stores.deliveries.lock(id)
        if (!before || !isSenderOf(before, sender)) throw new Refusal('not-found')
        assertPhone(before, guestPhone)
        const deliveryCode = otherCode(secrets.digits, before.deliveryCode, before.returnCode)
        const returnCode =
          before.returnCode && otherCode(secrets.digits, deliveryCode, before.returnCode)
        const after = renewCode(before, sender, when, { deliveryCode, returnCode })
        // The new code has its own tries.
        await stores.attempts.forget(attemptKey(secrets, options.limits.deliveryCode, id))
        return save(stores, actor, before, after)
      },

    rateDelivery: async ({ id, input: { stars, words, guestPhone }, at }) => {
      const found = await repo.read(({ deliveries }) => deliveries.get(id))
      const people = [found?.sender?.id, found?.driver?.id].filter((each) => each !== undefined)
      const work: Work<'rateDelivery'> = async (stores, actor) => {
        const party = requireActor(actor)
        const before = await stores.deliveries.lock(id)
        const side = before && sideOf(before, party)
        if (!before || !side) throw new Refusal('not-found')
        assertPhone(before, guestPhone)
        const counted = (await ratingCounts(stores, secrets, before, side, at)) ? undefined : false
        const after = rate(before, party, { stars, words, counted }, at)
        const saved = await saveDelivery(stores, secrets, before, after)
        const rated = side === 'sender' ? before.driver : before.sender
        const user = counted !== false && rated && (await stores.users.rate(rated.id, stars))
        if (!user) return { body: { delivery: visibleTo(actor, saved) } }
        await refreshContacts(stores, user, at)
        const shown = await showRating(stores, saved, user, at)
        await stores.publish({ about: 'me', to: [user.ID] })
        return { body: { delivery: visibleTo(actor, shown) } }
      }
      return Object.assign(work, { alsoLocks: people })
    },
  }
}

/** A guest's token is enough; a phone that is sent must be theirs. Refusal: wrong-phone. */
function assertPhone({ senderPhone = '' }: Delivery, phone: string | undefined) {
  if (phone !== undefined && !equalSecrets(phone, senderPhone)) throw new Refusal('wrong-phone')
}

/** Five digits that are none of these: the recipient's code and the sender's mean opposite things. */
function otherCode(digits: (length: number) => string, ...taken: (string | undefined)[]): string {
  for (;;) {
    const code = digits(5)
    if (!taken.includes(code)) return code
  }
}
