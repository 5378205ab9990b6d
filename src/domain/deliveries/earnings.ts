import * as z from 'zod/mini'
import { toCedis, toPesewas } from '../money.ts'
import type { Delivery } from './delivery.ts'
import { feeOf, paidToDriver } from './payment.ts'

/*
 * What a driver has earned (R182), of a job on the day it was delivered, in Ghana's time (UTC):
 *
 *   offers + tips − fees = net = waiting + onItsWay + paid + failed
 *
 * Waiting is what its sender has not approved, and a payout that nobody has sent. Without what is not approved, `net` is
 * what the ledger says is owed or paid to the driver, and `paid` what it says is paid.
 */

/** Where the money of a job is. `approval` and `waiting` are both called waiting in the sums. */
export type Whereabouts = 'approval' | 'waiting' | 'onItsWay' | 'paid' | 'failed'

/** A job's money, in whole pesewas. `day`: `2026-11-21`. */
export type Earning = {
  day: string
  /** The driver's part of the offer: all of it, or the share of a returned or split job (R105, R107). */
  offer: number
  tip: number
  fee: number
  net: number
  where: Whereabouts
}

/** What the driver of a delivery has earned of it, or will once it is approved; `undefined` for nothing. */
export function earningOf(delivery: Delivery): Earning | undefined {
  const { status, tip = 0, feePercent = 0, driverShare = 0 } = delivery
  const isWhole = status === 'Delivered' || status === 'Approved'
  if (!isWhole && status !== 'Cancelled') return undefined
  const offer = toPesewas(isWhole ? delivery.offer : driverShare)
  const fee = feeOf(offer, feePercent)
  const net = status === 'Delivered' ? offer - fee : paidToDriver(delivery)
  if (net === 0) return undefined
  return { day: dayOf(delivery), offer, tip: toPesewas(tip), fee, net, where: whereIs(delivery) }
}

/** The day on which it was delivered; where it never was, on which it ended. */
function dayOf({ history = [], updatedAt }: Delivery): string {
  const delivered = history.findLast(({ status, late }) => status === 'Delivered' && !late)
  const step = delivered ?? history.at(-1)
  return (step?.effectiveAt ?? step?.at ?? updatedAt).slice(0, 10)
}

function whereIs({ status, payout }: Delivery): Whereabouts {
  if (status === 'Delivered') return 'approval'
  // Of a delivery of an earlier version, the driver was paid when it ended.
  if (!payout) return 'paid'
  return places[payout.status] ?? 'waiting'
}

/** By the status of the payout. */
const places: Record<string, Whereabouts> = {
  sent: 'onItsWay',
  otp: 'onItsWay',
  paid: 'paid',
  failed: 'failed',
  reversed: 'failed',
}

const cedis = z.number()

/** In cedis. `days` are Ghana's (UTC), oldest first, none left out. */
export const Earnings = z.object({
  offers: cedis,
  tips: cedis,
  fees: cedis,
  net: cedis,
  waiting: cedis,
  onItsWay: cedis,
  paid: cedis,
  failed: cedis,
  days: z.array(z.object({ day: z.string(), net: cedis, jobs: z.number() })),
})
export type Earnings = z.infer<typeof Earnings>

/** The earnings of some days, such as `2026-11-21`: the first and the last are included. */
export function sumEarnings(earnings: Iterable<Earning>, from: string, to: string): Earnings {
  const days = new Map(daysFrom(from, to).map((day) => [day, { net: 0, jobs: 0 }]))
  // In whole pesewas, because a sum of fractions of cedis gathers rounding errors.
  const sums = { offers: 0, tips: 0, fees: 0, net: 0, waiting: 0, onItsWay: 0, paid: 0, failed: 0 }
  for (const { day, offer, tip, fee, net, where } of earnings) {
    const ofDay = days.get(day)
    if (!ofDay) continue
    ofDay.net += net
    ofDay.jobs += 1
    sums.offers += offer
    sums.tips += tip
    sums.fees += fee
    sums.net += net
    sums[where === 'approval' ? 'waiting' : where] += net
  }
  const inCedis = Object.entries(sums).map(([name, pesewas]) => [name, toCedis(pesewas)])
  return {
    ...(Object.fromEntries(inCedis) as typeof sums),
    days: [...days].map(([day, { net, jobs }]) => ({ day, net: toCedis(net), jobs })),
  }
}

/** Each day from one to another, both included. */
export function daysFrom(from: string, to: string): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = dayAfter(day)) days.push(day)
  return days
}

/** The day so many days after another; before it for a number below 0. */
export function dayAfter(day: string, days = 1): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
