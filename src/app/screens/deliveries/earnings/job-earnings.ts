import { saysPaid } from '#domain/deliveries/endings/direct-payment.ts'
import { dayAfter, type Earning, earningOf } from '#domain/payouts/earnings.ts'
import { jobs } from '#store/queries/lists.ts'
import type { DeliveryRow } from '#store/rows.ts'
import type { SomaDb } from '#store/soma-db.ts'

/** What a job has brought its driver, and what the screen says of the job. */
export type JobEarning = Earning & {
  ID: string
  item: string
  pickupZone: string
  dropoffZone: string
  /** It reached its recipient, and was not returned or split. */
  isDelivered: boolean
  /** Its sender pays the driver, and no provider does (R171). */
  isDirect: boolean
  /** Its sender says they have paid. */
  isPaidBySender: boolean
}

/** `since`: when the oldest job was requested that the phone has; missing where it has none. */
export type JobEarnings = { earned: JobEarning[]; jobs: number; since?: string }

/** All that a driver has earned of the jobs on this phone, the newest first (R182). Only that stays in memory, not the rows. */
export async function jobEarnings(db: SomaDb, account?: string): Promise<JobEarnings> {
  const rows = await jobs(db, 10_000, account)
  return {
    earned: rows.flatMap((row) => earnedOf(row) ?? []),
    jobs: rows.length,
    since: rows.at(-1)?.view.createdAt,
  }
}

/** A parcel on its way back waits for nobody's approval, whatever code was entered for it. */
export function earnedOf({ ID, view, server }: DeliveryRow): JobEarning | undefined {
  const delivery = server?.returning ? server : view
  const earning = earningOf(delivery)
  return (
    earning && {
      ...earning,
      ID,
      item: delivery.itemDescription,
      pickupZone: delivery.pickupZone,
      dropoffZone: delivery.dropoffZone,
      isDelivered: delivery.status !== 'Cancelled',
      isDirect: delivery.payment === undefined,
      isPaidBySender: delivery.payout !== undefined && saysPaid(delivery),
    }
  )
}

/** `days`: seven, from Monday on. */
export type Week = { days: { day: string; earned: JobEarning[] }[]; earned: JobEarning[] }

/** The week of `today`, then each before it in which something was earned. */
export function weeksOf(earned: readonly JobEarning[], today: string): Week[] {
  const weeks = new Map<string, JobEarning[]>([[mondayOf(today), []]])
  for (const each of earned) {
    const monday = mondayOf(each.day)
    weeks.set(monday, [...(weeks.get(monday) ?? []), each])
  }
  return [...weeks]
    .sort(([one], [other]) => (one < other ? 1 : -1))
    .map(([monday, all]) => ({
      earned: all.sort((one, other) => (one.day < other.day ? 1 : -1)),
      days: Array.from({ length: 7 }, (_, n) => dayAfter(monday, n)).map((day) => ({
        day,
        earned: all.filter((each) => each.day === day),
      })),
    }))
}

function mondayOf(day: string): string {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7
  return dayAfter(day, -sinceMonday)
}
