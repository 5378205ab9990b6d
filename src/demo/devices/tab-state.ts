import { storagePrefix } from '#app/browser/base-url.ts'
import type { PaymentMode } from '#domain/deliveries/payment.ts'
import type { NetworkCondition } from '../backend/network-conditions.ts'
import type { PersonaKey } from '../simulation/personas.ts'

/** State of one tab, in session storage: it outlives a reload and is not shared with other tabs. */
export const tabState = {
  persona: slot<PersonaKey>('playing', ['guest', 'sender', 'driver', 'pending', 'admin']),
  network: slot<NetworkCondition>('sky', ['fine', 'slow', 'lossy', 'off']),
}

export const clearTabState = (): void => removeAll(sessionStorage)

/** Removes everything that the demo has stored in it. */
export function removeAll(storage: Storage): void {
  for (const key of Object.keys(storage)) if (key.startsWith(storagePrefix)) storage.removeItem(key)
}

/** How senders pay, once it was chosen: the same in all tabs. */
export const chosenPayments = slot<PaymentMode>('payments', ['direct', 'paystack'], localStorage)

/** `name` is stored, so it stays as earlier versions wrote it. */
function slot<T extends string>(name: string, values: readonly T[], storage = sessionStorage) {
  const key = storagePrefix + name
  return {
    get: (): T | undefined => values.find((each) => each === storage.getItem(key)),
    set: (value: T) => storage.setItem(key, value),
  }
}
