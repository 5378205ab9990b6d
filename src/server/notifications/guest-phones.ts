import { Refusal } from '#domain/errors.ts'
import type { Stores } from '../ports/repo.ts'
import type { Secrets } from '../ports/secrets.ts'

/** Open requests of a number that no guest has confirmed (R151). */
const mostOpen = 5

const keyOf = (secrets: Secrets, phone: string) => secrets.keyed('confirmed-phone', phone)

/** Stores that a guest has confirmed this number by a code (R109). */
export const confirmGuestPhone = (
  { confirmedPhones }: Stores,
  secrets: Secrets,
  phone: string,
  at: string,
): Promise<void> => confirmedPhones.add(keyOf(secrets, phone), at)

/** Forgets that a guest has confirmed this number (R216). */
export const forgetGuestPhone = (
  { confirmedPhones }: Stores,
  secrets: Secrets,
  phone: string,
): Promise<void> => confirmedPhones.remove(keyOf(secrets, phone))

/** Whether a guest has ever confirmed this number by a code. */
export const isConfirmedByGuest = (
  { confirmedPhones }: Stores,
  secrets: Secrets,
  phone: string,
): Promise<boolean> => confirmedPhones.has(keyOf(secrets, phone))

/** Whether anybody has: a guest, or the account whose number it is (R149). */
export const isConfirmedByAnybody = async (
  stores: Stores,
  secrets: Secrets,
  phone: string,
): Promise<boolean> =>
  (await isConfirmedByGuest(stores, secrets, phone)) ||
  (await stores.users.byVerifiedPhone(phone)) !== undefined

/**
 * Anybody can send requests in the name of a number that is not theirs, so their number is limited: junk must
 * not bury the owner's own requests. Requests of one number wait for each other. Refusal: open-requests.
 */
export async function assertFewOpenRequests(
  stores: Stores,
  secrets: Secrets,
  phone: string,
): Promise<void> {
  await stores.attempts.lock(`open-requests:${keyOf(secrets, phone)}`)
  if ((await stores.deliveries.countOpenOfGuest(phone)) < mostOpen) return
  if (!(await isConfirmedByGuest(stores, secrets, phone))) throw new Refusal('open-requests')
}
