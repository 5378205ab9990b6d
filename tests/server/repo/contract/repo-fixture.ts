import { v7 } from 'uuid'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { contactOf, type User } from '#domain/users/user.ts'
import type { Repo } from '#server/ports/repo.ts'
import type { Account } from '#server/ports/stores/account-stores.ts'
import { present } from '../../../helpers/present.ts'
import { untilListening } from '../../../helpers/server/heard-events.ts'

/** Returns an empty repo. */
export type MakeRepo = () => Promise<{ repo: Repo; close(): Promise<void> }>

export type RepoFixture = ReturnType<typeof repoFixture>

/** A repo for all tests of the surrounding `describe`, and what fills it. */
export function repoFixture(make: MakeRepo) {
  let made: Awaited<ReturnType<MakeRepo>>
  beforeAll(async () => {
    made = await make()
    await untilListening(made.repo)
  })
  afterAll(() => made.close())

  const repo: Pick<Repo, 'transaction' | 'read' | 'listen'> = {
    transaction: (work) => made.repo.transaction(work),
    read: (work) => made.repo.read(work),
    listen: (...listeners) => made.repo.listen(...listeners),
  }

  const refused = (reason: string) => expect.objectContaining({ reason })
  let clock = Date.parse('2026-01-01T00:00:00Z')
  const at = () => new Date(clock++).toISOString()
  let phones = 0

  const account = (over: Partial<Account> = {}): Account => ({
    ID: v7(),
    name: 'Ama',
    email: `${v7()}@example.com`,
    role: 'sender',
    Verified: true,
    phone_number: `02400${String(++phones).padStart(5, '0')}`,
    passwordHash: 'hash',
    createdAt: at(),
    ...over,
  })
  async function user(over: Partial<Account> = {}): Promise<User> {
    const added = account(over)
    await repo.transaction(({ users }) => users.add(added))
    return present(await repo.read(({ users }) => users.get(added.ID)))
  }
  function draft(over: Partial<Delivery> = {}): Delivery {
    const now = at()
    return {
      ID: v7(),
      status: 'Pending',
      itemDescription: 'Documents',
      offer: 12.34,
      pickupZone: 'Osu',
      dropoffZone: 'Tema',
      itemPhoto: 'http://x/p.jpg',
      recipientName: 'Esi',
      recipientPhone: '0550000001',
      deliveryCode: '01234',
      isGuestDelivery: true,
      senderName: 'Kofi',
      senderPhone: '0240000009',
      createdAt: now,
      updatedAt: now,
      history: [{ status: 'Pending', at: now }],
      ...over,
    }
  }
  const add = (over: Partial<Delivery> = {}) =>
    repo.transaction(({ deliveries }) => deliveries.add(draft(over)))
  const by = (sender: User) => ({ sender: contactOf(sender), isGuestDelivery: false })
  const save = (delivery: Delivery) =>
    repo.transaction(async ({ deliveries }) =>
      deliveries.save(present(await deliveries.lock(delivery.ID)), delivery),
    )

  return { repo, refused, at, account, user, draft, add, by, save }
}
