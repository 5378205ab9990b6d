import { defaultItems, defaultZones } from '#domain/choices.ts'
import { defaultPlaces } from '#domain/zones/default-places.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Zones } from '../../ports/stores/record-stores.ts'
import { firstLoginSetting } from '../../ports/stores/settings-store.ts'

/** The phone that earlier versions gave every first admin. It belongs to nobody. */
const formerPhone = '0200000000'

/** `id` and `name` have defaults. Without a `phone` the admin has none. */
type FirstAdmin = {
  email: string
  password?: string
  phone?: string
  id?: string
  name?: string
}

/**
 * Adds the default zones and item types once, gives these zones their centres and roads once (R165), and adds an admin
 * when there is none. Returns the admin's password while it is the generated one and no admin has logged in (R211): the same
 * at each start. Several processes may run it at once.
 */
export async function seed(
  { repo, passwords, secrets, clock }: Pick<Ports, 'repo' | 'passwords' | 'secrets' | 'clock'>,
  admin: FirstAdmin,
): Promise<{ email: string; password: string } | undefined> {
  const at = new Date(clock()).toISOString()
  const existing = await repo.read(({ users }) => users.findAdmin())
  // Made of the key of the server, so that only its hash is stored and each start knows it: 80 bits.
  const generated = secrets.keyed('password of the first admin').slice(0, 20)
  const password = admin.password ?? generated
  const passwordHash = existing ? '' : await passwords.hash(password)
  await repo.transaction(async ({ users, codes, zones, items, settings, attempts }) => {
    await attempts.lock('seed')
    const run = secrets.id()
    if ((await settings.keep('choices seeded by', run)) === run) {
      for (const Name of defaultZones) await zones.add({ ID: secrets.id(), Name }, at)
      for (const Name of defaultItems) await items.add({ ID: secrets.id(), Name }, at)
    }
    if ((await settings.keep('zones placed by', run)) === run) await addCentresAndRoads(zones)
    const former = await users.byVerifiedPhone(formerPhone)
    if (former?.role === 'admin' && admin.phone !== formerPhone) {
      await users.change(former.ID, { phone_number: admin.phone ?? '' })
      await codes.end(former.ID, 'reset')
    }
    if (existing || (await users.findAdmin())) return
    await users.add({
      ID: admin.id ?? secrets.id(),
      name: admin.name ?? 'Admin',
      email: admin.email,
      phone_number: admin.phone ?? '',
      role: 'admin',
      Verified: true,
      passwordHash,
      createdAt: at,
    })
  })
  const unused = await repo.read(async ({ users, settings }) => {
    const found = await users.findAdmin()
    const isUsed = (await settings.get(firstLoginSetting)) !== undefined
    return isUsed || !found ? undefined : users.byEmail(found.email)
  })
  const isGenerated = unused && (await passwords.verify(unused.passwordHash, generated))
  return isGenerated ? { email: unused.email, password: generated } : undefined
}

/** Whether this password, which is meant for the first admin, is not that of the admin of this e-mail (R1). */
export async function ignoresPassword(
  { repo, passwords }: Pick<Ports, 'repo' | 'passwords'>,
  { email, password }: FirstAdmin,
): Promise<boolean> {
  if (password === undefined) return false
  const admin = await repo.read(({ users }) => users.byEmail(email))
  return !admin || !(await passwords.verify(admin.passwordHash, password))
}

/** Gives the default zones the centre and the roads that they do not have yet. */
async function addCentresAndRoads(zones: Zones): Promise<void> {
  const all = await zones.list()
  for (const { Name, lat, lng, roads } of defaultPlaces()) {
    const zone = all.find((each) => each.Name === Name)
    if (!zone) continue
    await zones.change(zone.ID, {
      ...(zone.lat === undefined ? { lat, lng } : {}),
      ...(zone.roads
        ? {}
        : { roads: roads?.filter(({ to }) => all.some((each) => each.Name === to)) }),
    })
  }
}
