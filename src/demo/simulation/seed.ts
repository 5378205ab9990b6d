import type { Activity } from '#contract/answers.ts'
import type { Delivery } from '#domain/delivery.ts'
import type { User } from '#domain/user.ts'
import { seed } from '#server/node/startup/seed.ts'
import type { Ports } from '#server/ports/ports.ts'
import type { Stores } from '#server/ports/repo.ts'
import type { Secrets } from '#server/ports/secrets.ts'
import { hold, refund, release } from '#server/rules/ledger.ts'
import { type Album, albumIn } from '../backend/image-uploads.ts'
import { guestToken } from '../backend/tokens.ts'
import { itemPicture, items, variants } from '../pictures/pictures.ts'
import { characters, demoPassword } from './accounts.ts'
import { imagineDisputes, type PastDispute } from './disputes.ts'
import { applicationOf } from './driver-application.ts'
import { idAt, imagineDeliveries, iso, type Member } from './history.ts'
import { type Townsperson, townspeople } from './people.ts'
import { type Dice, diceOf, seeded } from './random.ts'

const day = 24 * 60 * 60_000

/** As many as an admin is shown, and some. */
const recent = 60

/**
 * A city in the middle of its day: people, drivers' papers, two months of deliveries, disputes and
 * money. Does nothing where it has been before, and is safe from several tabs at once. The same
 * `number` and the same clock make the same city.
 */
export async function seedCity(
  gateways: Pick<Ports, 'repo' | 'secrets' | 'passwords' | 'images' | 'clock' | 'options'>,
  number = 233,
): Promise<void> {
  const { repo, secrets, passwords, clock } = gateways
  if (await repo.read(({ settings }) => settings.get('city'))) return
  const now = clock()
  const passwordHash = await passwords.hash(demoPassword)
  const { id, name, email, phone } = characters.admin
  await seed(
    {
      ...{ repo, secrets, clock: () => now - 90 * day },
      passwords: { ...passwords, hash: async () => passwordHash },
    },
    { id, name, email, phone, password: demoPassword },
  )

  const album = albumIn(gateways)
  for (const item of items)
    for (let variant = 0; variant < variants; variant++) album.add(itemPicture(item, variant))
  const city = imagineCity(diceOf(seeded(number)), now, album)
  await album.keep()

  const run = secrets.id()
  await repo.transaction(async (stores) => {
    if ((await stores.settings.keep('city', run)) !== run) return
    await writePeople(stores, city, passwordHash)
    for (const delivery of city.deliveries) await writeDelivery(stores, secrets, delivery)
    for (const dispute of city.disputes) await writeDispute(stores, dispute)
    for (const activity of city.activities) await stores.activities.add(activity)
  })
}

type City = {
  people: (Member & { person: Townsperson; application?: ReturnType<typeof applicationOf> })[]
  deliveries: Delivery[]
  disputes: PastDispute[]
  activities: Activity[]
}

function imagineCity(dice: Dice, now: number, album: Album): City {
  const people = townspeople.map((person, place) => {
    const since = now - age(dice, person, place) * day
    const user = userOf(person)
    const application = person.drives && applicationOf(dice, album, person, since)
    return { person, user, since, application }
  })
  const senders = people.filter(({ person }) => !person.drives)
  const drivers = people.filter(({ person }) => person.drives === 'approved')
  const deliveries = imagineDeliveries(dice, now, album, senders, drivers)
  const disputes = imagineDisputes(dice, now, deliveries)
  return { people, deliveries, disputes, activities: told(dice, people, deliveries, disputes) }
}

/** How many days ago somebody signed up: most before all that is told here, some lately. */
function age(dice: Dice, { drives }: Townsperson, place: number): number {
  if (drives === 'pending') return dice.between(0.2, 5)
  if (drives === 'rejected') return dice.between(8, 25)
  return place > 2 && place % 5 === 0 && !drives ? dice.between(4, 40) : dice.between(61, 88)
}

const userOf = ({ id, name, email, phone, drives }: Townsperson): User => ({
  ...{ ID: id, name, email, phone_number: phone, Verified: true },
  ...(drives ? { role: 'driver', driverStatus: drives } : { role: 'sender' }),
})

/** What the dashboard has heard, in the words of the handlers. */
function told(
  dice: Dice,
  people: City['people'],
  deliveries: Delivery[],
  disputes: PastDispute[],
): Activity[] {
  const activities: Activity[] = []
  const tell = (time: number, Type: string, Message: string) =>
    activities.push({ ID: idAt(dice, time), Type, Message, CreatedAt: iso(time) })
  for (const { user, since } of people) {
    const { name, role, driverStatus } = user
    tell(since, 'user_signup', `${name} signed up as a ${role}`)
    if (driverStatus === 'approved' || driverStatus === 'rejected')
      tell(since + day, `driver_${driverStatus}`, `${name} was ${driverStatus} as a driver`)
  }
  for (const { itemDescription, pickupZone, dropoffZone, ...delivery } of deliveries) {
    const route = `${pickupZone} to ${dropoffZone}`
    tell(Date.parse(delivery.createdAt), 'delivery_created', `${itemDescription}: ${route}`)
    if (delivery.status === 'Cancelled')
      tell(Date.parse(delivery.updatedAt), 'other', `Cancelled: ${itemDescription}, ${route}`)
  }
  for (const { report, resolved, item } of disputes) {
    tell(Date.parse(report.CreatedAt), 'other', `Issue reported: ${item}`)
    if (resolved) tell(Date.parse(resolved.at), 'other', `Dispute resolved: ${item}`)
  }
  return activities.sort((a, b) => a.CreatedAt.localeCompare(b.CreatedAt)).slice(-recent)
}

async function writePeople({ users, applications }: Stores, city: City, passwordHash: string) {
  for (const { user, since, application } of city.people) {
    await users.add({ ...user, passwordHash, createdAt: iso(since) })
    if (!application) continue
    await applications.add(application)
    if (user.driverStatus !== 'pending')
      await applications.change(user.ID, user.driverStatus ?? 'pending', iso(since))
  }
}

/** With its money: held from the beginning, and gone one way or the other at the end. */
async function writeDelivery(stores: Stores, secrets: Secrets, delivery: Delivery) {
  const { ID, createdAt, status, isGuestDelivery } = delivery
  await stores.deliveries.add(delivery)
  await stores.ledger.post(hold({ ...delivery, updatedAt: createdAt }, secrets.id()))
  if (status === 'Approved') await stores.ledger.post(release(delivery, secrets.id()))
  if (status === 'Cancelled') await stores.ledger.post(refund(delivery, secrets.id()))
  if (isGuestDelivery) await stores.guestTokens.add(secrets.hash(guestToken(secrets, ID)), ID)
}

async function writeDispute({ disputes }: Stores, { report, resolved }: PastDispute) {
  await disputes.add(report)
  if (resolved) await disputes.resolve(report.ID, { ...resolved, by: characters.admin.id })
}
