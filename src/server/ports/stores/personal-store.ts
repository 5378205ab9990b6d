import type { StoredDelivery } from './delivery-stores.ts'

/** Rows by the name of their table, each column by its name; times in ISO 8601. */
export type RowsByTable = Record<string, Record<string, unknown>[]>

/** A name and e-mail that a text of the dashboard may hold. */
type Named = { name: string; email: string }

/** What is held about a person, whichever table it is in (R215, R216). Deliveries are changed by the caller. */
export type PersonalData = {
  /** Every row about this account but its deliveries, without secrets. Tables without a row are left out. */
  rowsOf(userId: string): Promise<RowsByTable>
  /** As `rowsOf`, of one guest's delivery. */
  rowsOfGuest(deliveryId: string): Promise<RowsByTable>
  /** Every delivery that names this account: as sender, as driver, or as one who gave it back. In order of ID. */
  deliveriesOf(userId: string): Promise<StoredDelivery[]>
  /** As `deliveriesOf`; others that change them wait until this transaction ends. */
  lockDeliveriesOf(userId: string): Promise<StoredDelivery[]>
  /** Deliveries of guests with this number, locked, in order of ID. */
  lockDeliveriesOfGuest(phone: string): Promise<StoredDelivery[]>
  /** Whether money of these requests, or for this driver, is on its way or failed to arrive. */
  hasOpenPayments(requests: readonly string[], driverId?: string): Promise<boolean>
  /** Deletes or empties every row about this account but its deliveries; its own row stays, as a deleted user's. */
  erase(userId: string, named: Named): Promise<void>
  /**
   * Deletes or empties the rows that belong to these requests, once the deliveries themselves are without their sender:
   * what a search finds, payers' numbers, a guest's tokens and what was stored for them.
   */
  eraseRequests(deliveryIds: readonly string[]): Promise<void>
  /** Those of these photo URLs that no delivery, account or application names. */
  unnamedPhotos(urls: readonly string[]): Promise<string[]>
}
