import { v7 } from 'uuid'
import type { Transport } from '#contract/transport.ts'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { mergeFromServer } from '#store/deliveries/projection.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { createWaits } from '#sync/outbox/waits.ts'
import type { SyncContext } from '#sync/platform/context.ts'
import { createTrafficMeter } from '#sync/platform/traffic-meter.ts'
import { createClock, createLocks } from './phone.ts'

/** A delivery as a server has it; made and changed at the same time. */
export const deliveryOf = (ID: string, more: Partial<Delivery> = {}): Delivery => ({
  ID,
  status: 'Pending',
  itemDescription: 'Laptop',
  pickupZone: 'Osu',
  dropoffZone: 'Tema',
  offer: 60,
  isGuestDelivery: false,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  ...more,
})

/** Saves rows as an answer of the server brings them, with what is pending over them. */
export const saveRows = (
  db: SomaDb,
  account: string,
  rows: Delivery[],
  times: Parameters<typeof mergeFromServer>[3] = {},
) => db.transaction('rw', db.tables, async () => mergeFromServer(db, account, rows, times))

/** What the sync works with, without an engine; `transport` stands for the server. */
export const contextOf = (
  db: SomaDb,
  transport: Transport,
  { clock = createClock(), ...more }: Partial<SyncContext<SomaDb>> = {},
): SyncContext<SomaDb> => ({
  db,
  cachePrefix: '',
  transport,
  traffic: createTrafficMeter(),
  base: 'http://soma.test/api',
  clock,
  waits: createWaits(clock),
  random: () => 0.5,
  newId: v7,
  locks: createLocks(),
  holder: 'tab',
  ...more,
})
