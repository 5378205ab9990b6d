import type { Activity } from '#contract/responses.ts'
import { type Delivery, isActiveDelivery } from '#domain/deliveries/delivery.ts'
import { defaultEndingTerms } from '#domain/deliveries/endings/incidents.ts'
import type { User } from '#domain/users/user.ts'
import { seed } from '#server/node/startup/first-rows.ts'
import type { Ports } from '#server/ports/ports.ts'
import type { Stores } from '#server/ports/repo.ts'
import type { Secrets } from '#server/ports/secrets.ts'
import { hold } from '#server/rules/deliveries/ledger.ts'
import { settle, withPayout } from '#server/rules/deliveries/ledger-effects.ts'
import { itemPicture, items, variants } from '../../pictures/pictures.ts'
import { driverApplication } from '../driver-application.ts'
import { type ImageUploads, imageUploadsTo } from '../image-uploads.ts'
import { demoPassword, personas } from '../personas.ts'
import { type Random, randomFrom, seededNumbers } from '../random.ts'
import { type Resident, residents } from '../residents.ts'
import { guestToken } from '../tokens.ts'
import { generateDeliveries, isoTime, type SeedAccount, uuidAt } from './deliveries.ts'
import { generateDisputes, type SeedDispute } from './disputes.ts'

const day = 24 * 60 * 60_000

/** An admin is shown fewer. */
const recentActivities = 60

/**
 * Builds the demo's city: people, driver applications, two months of deliveries, disputes and money.
 * Does nothing when it was built before; several tabs may call it at once. The same `seedNumber` and
 * the same clock give the same city.
 */
export async function seedCity(
  ports: Pick<Ports, 'repo' | 'secrets' | 'passwords' | 'images' | 'clock' | 'options'>,
  seedNumber = 233,
): Promise<void> {
  const { repo, secrets, passwords, clock } = ports
  if (await repo.read(({ settings }) => settings.get('city'))) return
  const now = clock()
  const passwordHash = await passwords.hash(demoPassword)
  const { id, name, email, phone } = personas.admin
  await seed(
    {
      repo,
      secrets,
      clock: () => now - 90 * day,
      passwords: { ...passwords, hash: async () => passwordHash },
    },
    { id, name, email, phone, password: demoPassword },
  )

  const uploads = imageUploadsTo(ports)
  for (const item of items)
    for (let variant = 0; variant < variants; variant++) uploads.add(itemPicture(item, variant))
  const city = generateCity(randomFrom(seededNumbers(seedNumber)), now, uploads)
  await uploads.store()

  const build = secrets.id()
  await repo.transaction(async (stores) => {
    // Another tab may have built it since: the first to keep its build's ID wins.
    if ((await stores.settings.keep('city', build)) !== build) return
    await writePeople(stores, city, passwordHash)
    const open = new Set(
      city.disputes.filter(({ resolved }) => !resolved).map(({ report }) => report.DeliveryID),
    )
    for (const delivery of city.deliveries)
      await writeDelivery(stores, secrets, withDue(delivery, open.has(delivery.ID)))
    for (const dispute of city.disputes) await writeDispute(stores, dispute)
    for (const activity of city.activities) await stores.activities.add(activity)
  })
}

type City = {
  people: (SeedAccount & {
    resident: Resident
    application?: ReturnType<typeof driverApplication>
  })[]
  deliveries: Delivery[]
  disputes: SeedDispute[]
}

function generateCity(
  random: Random,
  now: number,
  uploads: ImageUploads,
): City & { activities: Activity[] } {
  const people = residents.map((resident, index) => {
    const since = now - accountAge(random, resident, index) * day
    const user = userOf(resident)
    const application = resident.driverStatus && driverApplication(random, uploads, resident, since)
    return { resident, user, since, application }
  })
  const senders = people.filter(({ resident }) => !resident.driverStatus)
  const drivers = people.filter(({ resident }) => resident.driverStatus === 'approved')
  const deliveries = generateDeliveries(random, now, uploads, { senders, drivers })
  const disputes = generateDisputes(random, now, deliveries)
  const city = { people, deliveries, disputes }
  return { ...city, activities: activitiesOf(random, city) }
}

/** Days since the sign-up: for most before the oldest delivery, for some recent. */
function accountAge(random: Random, { driverStatus }: Resident, index: number): number {
  if (driverStatus === 'pending') return random.between(0.2, 5)
  if (driverStatus === 'rejected') return random.between(8, 25)
  const isRecent = index > 2 && index % 5 === 0 && !driverStatus
  return isRecent ? random.between(4, 40) : random.between(61, 88)
}

const userOf = ({ id, name, email, phone, driverStatus }: Resident): User => ({
  ID: id,
  name,
  email,
  phone_number: phone,
  Verified: true,
  ...(driverStatus ? { role: 'driver', driverStatus } : { role: 'sender' }),
})

/** The newest activities of the dashboard, worded as the server's handlers word them. */
function activitiesOf(random: Random, { people, deliveries, disputes }: City): Activity[] {
  const activities: Activity[] = []
  const add = (time: number, Type: string, Message: string) =>
    activities.push({ ID: uuidAt(random, time), Type, Message, CreatedAt: isoTime(time) })
  for (const { user, since } of people) {
    const { name, role, driverStatus } = user
    add(since, 'user_signup', `${name} signed up as a ${role}`)
    if (driverStatus === 'approved' || driverStatus === 'rejected')
      add(since + day, `driver_${driverStatus}`, `${name} was ${driverStatus} as a driver`)
  }
  for (const { itemDescription, pickupZone, dropoffZone, ...delivery } of deliveries) {
    const route = `${pickupZone} to ${dropoffZone}`
    add(Date.parse(delivery.createdAt), 'delivery_created', `${itemDescription}: ${route}`)
    if (delivery.status === 'Cancelled')
      add(Date.parse(delivery.updatedAt), 'other', `Cancelled: ${itemDescription}, ${route}`)
  }
  for (const { report, resolved, item } of disputes) {
    add(Date.parse(report.CreatedAt), 'other', `Issue reported: ${item}`)
    if (resolved) add(Date.parse(resolved.at), 'other', `Dispute resolved: ${item}`)
  }
  return activities.sort((a, b) => a.CreatedAt.localeCompare(b.CreatedAt)).slice(-recentActivities)
}

async function writePeople({ users, applications }: Stores, city: City, passwordHash: string) {
  for (const { user, since, application } of city.people) {
    await users.add({ ...user, passwordHash, createdAt: isoTime(since) })
    if (!application) continue
    await applications.add(application)
    if (user.driverStatus !== 'pending')
      await applications.change(user.ID, user.driverStatus ?? 'pending', isoTime(since))
  }
}

/** Writes a delivery and its transfers: the hold, and the release or refund that ended it. */
/** The delivery with what follows from its state: when it is approved automatically (R106), and an open issue (R108). */
function withDue(delivery: Delivery, isDisputed: boolean): Delivery {
  const disputed = isDisputed ? { disputed: true } : {}
  if (delivery.status !== 'Delivered') return { ...delivery, ...disputed }
  const due = Date.parse(delivery.updatedAt) + defaultEndingTerms.autoApprove
  return { ...delivery, ...disputed, dueAt: isoTime(due) }
}

async function writeDelivery(stores: Stores, secrets: Secrets, delivery: Delivery) {
  const { ID, createdAt, status, isGuestDelivery } = delivery
  const begun = { ...delivery, payments: 'direct' as const, status: 'Pending' as const }
  const stored = withPayout({ ...begun, status }, begun)
  await stores.deliveries.add(stored)
  await stores.ledger.post(hold({ ...stored, updatedAt: createdAt }, secrets.id()))
  if (!isActiveDelivery(stored)) await settle(stores, secrets, stored)
  if (isGuestDelivery) await stores.guestTokens.add(secrets.hash(guestToken(secrets, ID)), ID)
}

async function writeDispute({ disputes }: Stores, { report, resolved }: SeedDispute) {
  await disputes.add(report)
  if (resolved) await disputes.resolve(report.ID, { ...resolved, by: personas.admin.id })
}
