import type { Delivery } from '#domain/deliveries/delivery.ts'
import { isDriverOf, isSenderOf } from '#domain/deliveries/delivery.ts'
import { takenFrom } from '#domain/deliveries/office/office.ts'
import { isTimely } from '#domain/notifications/events.ts'
import { isOfOffice, isOn, isQuiet, type NotificationKind } from '#domain/notifications/kinds.ts'
import { minute } from '#domain/product.ts'
import { isApprovedDriver, type User } from '#domain/users/user.ts'
import { attemptKey } from '../limits/rate-limits.ts'
import { smsBudget } from '../limits/sms-budget.ts'
import type { Ports, SmsMessage } from '../ports/ports.ts'
import type { PushOutcome } from '../ports/push-port.ts'
import type { Stores } from '../ports/repo.ts'
import type { PushSubscriptionRow, StoredNotification } from '../ports/stores/notification-store.ts'
import { hasFailed } from '../ports/stores/payment-store.ts'
import { isConfirmedByAnybody } from './guest-phones.ts'
import { type Message, messageOf, smsText } from './messages.ts'
import { payloadOf } from './payload.ts'
import { jobLimit, smsDelay, smsLimit, termsOf } from './terms.ts'
import { toldTrips } from './told-trips.ts'

/** Messages of one transaction. */
const batchSize = 50
/** Milliseconds for which a taken notification belongs to this process. */
const lease = minute
/** Milliseconds between two tries of a push service that failed, at first; then twice as long each time. */
const firstRetry = minute / 2

type Needs = Pick<Ports, 'repo' | 'clock' | 'secrets' | 'options' | 'push' | 'sms' | 'log'>

/** A message that is ready to be sent, read in one transaction. */
type Prepared = {
  notification: StoredNotification
  message: Message
  targets: PushSubscriptionRow[]
  /** What is sent if nothing is confirmed. */
  sms?: SmsMessage
}

/**
 * Sends what is due: pushes, and SMS for pushes that were not confirmed (R115, R119). Several processes may run
 * it at once; each message is leased by one. Returns how many were due. Once `isOver`, no further message is
 * begun; other processes take the rest when their leases end.
 */
export async function sendDueNotifications(ports: Needs, isOver = () => false): Promise<number> {
  let found = 0
  for (;;) {
    if (isOver()) return found
    const due = await takeDue(ports)
    found += due.length
    // A failure must not stop the others; the message is retried when its lease ends.
    const failed = (error: unknown) => {
      ports.log.warn({ err: error }, 'A notification was not sent; it is tried again')
      return undefined
    }
    const ended = await Promise.all(
      due.filter(isToPerson).map((each) => handle(ports, each).catch(failed)),
    )
    await end(ports, ended)
    // One after another, because each holds a connection while it waits for a lock.
    for (const job of due.filter((each) => !isToPerson(each)))
      if (!isOver()) await tellDrivers(ports, job).catch(failed)
    if (due.length < batchSize) return found
  }
}

const isToPerson = ({ to }: StoredNotification) => to !== 'route'

/** Leases what is due. */
const takeDue = ({ repo, clock }: Needs): Promise<StoredNotification[]> =>
  repo.transaction(async ({ notifications }) => {
    const now = clock()
    return (await notifications?.take(iso(now), batchSize, iso(now + lease))) ?? []
  })

/** Sends one. Returns its ID when nothing is left to do. */
async function handle(ports: Needs, notification: StoredNotification) {
  const isSmsDue = notification.smsAt !== undefined && notification.smsAt <= iso(ports.clock())
  const prepared = await ports.repo.read((stores) => prepare(ports, stores, notification))
  if (!prepared) return notification.id
  if (!isSmsDue) return sendPush(ports, prepared)
  await sendSms(ports, prepared)
  return undefined
}

/** Removes those with nothing left to do. */
async function end({ repo }: Needs, ids: (string | undefined)[]): Promise<void> {
  const ended = ids.filter((id) => id !== undefined)
  if (ended.length > 0)
    await repo.transaction(async ({ notifications }) => notifications?.removeAll(ended))
}

/** The message and its receivers as of now; nothing when nobody wants it or it is no longer true. */
async function prepare(
  ports: Needs,
  stores: Stores,
  notification: StoredNotification,
): Promise<Prepared | undefined> {
  const now = ports.clock()
  const { kind, to, deliveryId, at, remaining } = notification
  if (now > Date.parse(at) + termsOf[kind].worth) return undefined
  const delivery = deliveryId === undefined ? undefined : await stores.deliveries.get(deliveryId)
  if (deliveryId !== undefined && !delivery) return undefined
  const user = typeof to === 'string' ? undefined : await stores.users.get(to.user)
  const isTaken = isFormer(kind, user, delivery)
  if (delivery && !isTaken && !isTimely(kind, delivery)) return undefined
  if (typeof to !== 'string' && (!user || !isOn(user.notifications, kind))) return undefined
  if (!(await isTrueForOffice(stores, kind, delivery))) return undefined
  if (kind === 'new-job' && !mayHearOfJobs(user, now)) return undefined
  const side = sideOf(notification, user, delivery)
  if (!side) return undefined
  const about = { kind, to: side, delivery, at, isApprovedDriver: isApprovedDriver(user) }
  const all = await subscriptionsOf(stores, user, delivery)
  const targets = remaining ? all.filter(({ id }) => remaining.includes(id)) : all
  const text = smsText(about, ports.options.publicOrigin)
  const phone = text === undefined ? undefined : await phoneOf(ports, stores, user, delivery)
  const sms = text !== undefined && phone !== undefined ? { to: phone, text } : undefined
  return { notification, message: messageOf(about), targets, sms }
}

/**
 * The side of the delivery that is notified; `undefined` for a person who no longer has one, such as a driver
 * who gave the job back.
 */
function sideOf(
  { kind }: StoredNotification,
  user: User | undefined,
  delivery: Delivery | undefined,
): 'sender' | 'driver' | 'office' | undefined {
  if (isOfOffice(kind)) return user?.role === 'admin' ? 'office' : undefined
  if (kind === 'new-job' || (user && delivery && isDriverOf(delivery, user))) return 'driver'
  if (isFormer(kind, user, delivery)) return 'driver'
  const isOfSender = !user || !delivery || isSenderOf(delivery, { user })
  return isOfSender ? 'sender' : undefined
}

/** Whether it tells a driver that the office took the job from them, whoever has it now (R192). */
const isFormer = (kind: NotificationKind, user: User | undefined, delivery: Delivery | undefined) =>
  kind === 'released' && user !== undefined && !!delivery && !!takenFrom(delivery, user.ID)

/** Whether what an admin is told of still waits for the office (R224); true of what others are told. */
async function isTrueForOffice(stores: Stores, kind: NotificationKind, delivery?: Delivery) {
  if (kind === 'office-dispute') return delivery?.disputed === true
  if (kind === 'office-application') return (await stores.applications.counts()).pending > 0
  if (kind !== 'office-money') return true
  const payments = delivery ? await stores.payments.ofDelivery(delivery.ID) : []
  return payments.some(hasFailed)
}

/** Checked again when it is sent: the driver may have been rejected since, or the push service may have been down. */
const mayHearOfJobs = (user: User | undefined, now: number): boolean =>
  isApprovedDriver(user) && !isQuiet(new Date(now), user?.notifications?.quiet)

const subscriptionsOf = async (
  { notifications }: Stores,
  user: User | undefined,
  delivery: Delivery | undefined,
): Promise<PushSubscriptionRow[]> =>
  (await notifications?.subscriptionsOf(
    user ? { user: user.ID } : { guestOf: delivery?.ID ?? '' },
  )) ?? []

/**
 * The number, if it is confirmed: an account's by its owner, a guest's by any guest or account (R149). Other
 * numbers get only codes, because anybody can send requests in their name.
 */
async function phoneOf(
  { secrets }: Needs,
  stores: Stores,
  user: User | undefined,
  delivery: Delivery | undefined,
): Promise<string | undefined> {
  if (user) return user.Verified ? user.phone_number || undefined : undefined
  const phone = delivery?.senderPhone
  return phone && (await isConfirmedByAnybody(stores, secrets, phone)) ? phone : undefined
}

/**
 * Pushes to every subscription that has not got it, and decides what is left to do. Returns its ID when
 * there was nothing to push and nothing is left to do: it is removed with others.
 */
async function sendPush(ports: Needs, prepared: Prepared): Promise<string | undefined> {
  const { push, repo, clock } = ports
  const { notification, targets } = prepared
  const { id, kind, at, tries } = notification
  const terms = termsOf[kind]
  const outcomes = await Promise.all(
    targets.map(async (target) => ({ target, outcome: await pushTo(ports, prepared, target) })),
  )
  const wants = (wanted: PushOutcome) => outcomes.filter(({ outcome }) => outcome === wanted)
  const remaining = wants('later').map(({ target }) => target.id)
  const gone = wants('gone').map(({ target }) => target.endpoint)
  const now = clock()
  const smsAt = notification.smsAt ?? (terms.sms ? iso(now + smsDelay) : undefined)
  const retryAt = iso(now + firstRetry * 2 ** Math.min(tries - 1, 6))
  const canRetry = push !== undefined && remaining.length > 0
  const isWorthRetry = canRetry && Date.parse(retryAt) < Date.parse(at) + terms.worth
  const next = [isWorthRetry ? retryAt : undefined, smsAt].filter((time) => time !== undefined)
  const dueAt = next.sort()[0]
  if (dueAt === undefined && targets.length === 0) return id
  await repo.transaction(async ({ notifications }) => {
    for (const endpoint of gone) await notifications?.endSubscriptions(endpoint)
    if (dueAt === undefined) await notifications?.remove(id)
    else await notifications?.change(id, { dueAt, tries, remaining, smsAt })
  })
  return undefined
}

async function pushTo(
  { push, secrets, options, clock }: Needs,
  { notification, message }: Prepared,
  target: PushSubscriptionRow,
): Promise<PushOutcome> {
  if (!push?.accepts(target.endpoint)) return 'refused'
  const { id, kind, at, deliveryId = kind } = notification
  const { urgency, worth, sms } = termsOf[kind]
  const topic = secrets.hash(`topic ${deliveryId}`).slice(0, 32)
  const receipt = sms ? id : undefined
  const ttl = Math.max(1, Math.round((Date.parse(at) + worth - clock()) / 1000))
  return push.send(target, {
    payload: payloadOf(message, { origin: options.publicOrigin, topic, receipt }),
    topic,
    ttl: Math.min(ttl, 24 * 60 * 60),
    urgency,
  })
}

/** Sends an SMS in place of a push, within the day's budget, and ends the notification (R119). */
async function sendSms(ports: Needs, { notification, sms: text }: Prepared): Promise<void> {
  const { repo, secrets, clock, sms, log } = ports
  const budget = smsBudget(ports)
  const sent = await repo.transaction(async (stores): Promise<SmsMessage | undefined> => {
    // It was confirmed a moment ago, or another process has sent it.
    const isOurs = await stores.notifications?.remove(notification.id)
    const at = iso(clock())
    if (!isOurs || !text) return undefined
    const key = attemptKey(secrets, { name: 'sms-notification' }, `${text.to} ${at.slice(0, 10)}`)
    await stores.attempts.lock(key)
    const isAllowed =
      (await stores.attempts.count(key, iso(0))) < smsLimit.ofPhone &&
      (await budget.isLeft(stores, text.to, at, smsLimit.shareOfDay))
    if (!isAllowed) return undefined
    await stores.attempts.add({ id: secrets.id(), key, at })
    const [ordered] = await budget.order(stores, [text], at)
    return ordered
  })
  if (!sent) return
  await sms
    .send(sent)
    .catch((error: unknown) => log.error({ err: error }, 'An SMS in place of a push was not sent'))
}

/** Queues the news of a job for each driver who is told of its way now (R120, R167). */
async function tellDrivers(ports: Needs, { id, deliveryId = '', at }: StoredNotification) {
  const { repo, secrets, clock } = ports
  const now = clock()
  const day = iso(now).slice(0, 10)
  const keyOf = (name: string, subject: string) =>
    attemptKey(secrets, { name }, `${subject} ${day}`)
  await repo.transaction(async (stores) => {
    const { notifications, deliveries, users, attempts } = stores
    // What was sent today is counted and added to by one process at a time.
    await attempts.lock('new jobs')
    const isOurs = await notifications?.remove(id)
    const job = await deliveries.get(deliveryId)
    if (!notifications || !isOurs || !job || !isTimely('new-job', job)) return
    const isLeft = async (key: string, limit: number) => (await attempts.count(key, iso(0))) < limit
    const count = (key: string) => attempts.add({ id: secrets.id(), key, at: iso(now) })
    const { sender, senderPhone = '' } = job
    const from = keyOf('job-from', sender?.id ?? senderPhone)
    if (!(await isLeft(from, jobLimit.ofSender))) return
    await count(from)
    const told = toldTrips(await stores.zones.list(), job, new Date(now))
    for (const driver of await notifications.driversFor(told, jobLimit.ofJob)) {
      if (sender?.id === driver || hadJob(job, driver)) continue
      const user = await users.get(driver)
      if (!user || !isOn(user.notifications, 'new-job') || !mayHearOfJobs(user, now)) continue
      const ofGuests = keyOf('new-guest-job', driver)
      if (!sender && !(await isLeft(ofGuests, jobLimit.ofGuests))) continue
      const ofDriver = keyOf('new-job', driver)
      if (!(await isLeft(ofDriver, jobLimit.ofDriver))) continue
      await count(ofDriver)
      if (!sender) await count(ofGuests)
      await notifications.add({
        id: secrets.id(),
        kind: 'new-job',
        to: { user: driver },
        deliveryId,
        at,
        dueAt: iso(now),
        tries: 0,
      })
    }
  })
}

/** A driver who gave the job back already knows it. */
const hadJob = ({ incidents = [] }: Delivery, driver: string): boolean =>
  incidents.some((each) => each.kind === 'release' && each.driver === driver)

const iso = (time: number) => new Date(time).toISOString()
