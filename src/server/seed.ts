import { defaultItems, defaultZones } from '#domain/choices.ts'
import type { Gateways } from './gateways.ts'

/** The phone the first admin has: verified, so that they can act at once. */
const adminPhone = '0200000000'

/** `id` and `name` only where somebody must know them beforehand. */
export type FirstAdmin = { email: string; password?: string; id?: string; name?: string }

/**
 * What an empty server starts with: the zones and item types of spec §9, once, and an admin when
 * there is none. Gives the admin's password when it had to be made up. Safe from several processes.
 */
export async function seed(
  { repo, passwords, secrets, clock }: Pick<Gateways, 'repo' | 'passwords' | 'secrets' | 'clock'>,
  admin: FirstAdmin,
): Promise<{ email: string; password: string } | undefined> {
  const at = new Date(clock()).toISOString()
  const existing = await repo.read(({ users }) => users.anAdmin())
  const password = admin.password ?? secrets.sessionToken().slice(2, 18)
  const passwordHash = existing ? '' : await passwords.hash(password)
  return repo.transaction(async ({ users, zones, items, settings, attempts }) => {
    await attempts.lock('seed')
    const run = secrets.id()
    if ((await settings.keep('choices seeded by', run)) === run) {
      for (const Name of defaultZones) await zones.add({ ID: secrets.id(), Name }, at)
      for (const Name of defaultItems) await items.add({ ID: secrets.id(), Name }, at)
    }
    if (existing || (await users.anAdmin())) return undefined
    await users.add({
      ...{ ID: admin.id ?? secrets.id(), name: admin.name ?? 'Admin' },
      ...{ email: admin.email, phone_number: adminPhone },
      ...{ role: 'admin', Verified: true, passwordHash, createdAt: at },
    })
    return admin.password === undefined ? { email: admin.email, password } : undefined
  })
}
