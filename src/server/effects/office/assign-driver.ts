import type { Assignee } from '#domain/deliveries/office/assign.ts'
import { Refusal } from '#domain/errors.ts'
import { isUuid } from '../../http/idempotency/idempotency.ts'
import type { Stores } from '../../ports/repo.ts'
import { cardOf } from '../../rules/contacts.ts'
import { effect } from '../effect.ts'

/** Finds out whether the driver is free to take the job (R192). */
export const assignDriver = effect<'assignDriver', Assignee | undefined>({
  // So that they accept no other job meanwhile.
  alsoLocks: async (_, { input: { driver } }) =>
    driver !== null && isUuid(driver.toLowerCase()) ? [driver.toLowerCase()] : [],
  load: ({ stores, asked: { input } }) =>
    input.driver === null ? Promise.resolve(undefined) : assigneeOf(stores, input.driver),
  terms: async ({ loaded }) => loaded,
  async allowed({ stores, ports: { secrets }, before, asked: { input, at } }) {
    const Message =
      input.driver === null
        ? `Put back on offer: ${before.itemDescription}`
        : `Given to another driver: ${before.itemDescription}`
    await stores.activities.add({ ID: secrets.id(), Type: 'other', Message, CreatedAt: at })
  },
})

/** Refusal: not-found. */
async function assigneeOf(stores: Stores, driver: string): Promise<Assignee> {
  const id = driver.toLowerCase()
  const user = isUuid(id) ? await stores.users.get(id) : undefined
  if (!user) throw new Refusal('not-found', 'There is no such person.')
  const { rows } = await stores.deliveries.list(
    { of: { driver: id }, statuses: ['Accepted', 'Picked Up'] },
    { limit: 1 },
  )
  return { driver: user, card: await cardOf(stores, user), isBusy: rows.length > 0 }
}
