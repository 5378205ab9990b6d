import { eq, lt, sql } from 'drizzle-orm'
import type { Devices } from '../../ports/stores/record-stores.ts'
import type { Db } from '../db.ts'
import { devices } from '../tables.ts'

const withUser = (id: string) =>
  sql`case when ${id}::uuid = any(${devices.userIds}) then ${devices.userIds} else ${devices.userIds} || ${id}::uuid end`

export function devicesOver(db: Db): Devices {
  return {
    async get(code) {
      const [found] = await db.select().from(devices).where(eq(devices.code, code))
      if (!found) return undefined
      const { at, queueLength, clientVersion, userId } = found
      return {
        code,
        queueLength,
        at: at.toISOString(),
        clientVersion: clientVersion ?? undefined,
        userId: userId ?? undefined,
      }
    },
    async touch({ code, at, ...reported }) {
      // Drizzle leaves out columns whose value is undefined.
      const touched = await db
        .update(devices)
        .set({
          ...reported,
          at: new Date(at),
          userIds: reported.userId ? withUser(reported.userId) : undefined,
        })
        .where(eq(devices.code, code))
        .returning({ code: devices.code })
      return touched.length > 0
    },
    async add({ at, ...device }) {
      await db
        .insert(devices)
        .values({
          ...device,
          at: new Date(at),
          userIds: device.userId ? [device.userId] : [],
        })
        .onConflictDoNothing()
    },
    async sweep(before) {
      await db.delete(devices).where(lt(devices.at, new Date(before)))
    },
  }
}
