import * as z from 'zod/mini'
import type { Delivery } from '../deliveries/delivery.ts'
import { feeOf, paidToDriver, partOf } from '../deliveries/payment.ts'
import { toCedis, toPesewas } from '../money.ts'

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
  const { status, tip = 0, feePercent = 0 } = delivery
  const isWhole = status === 'Delivered' || status === 'Approved'
  if (!isWhole && status !== 'Cancelled') return undefined
  const offer = status === 'Delivered' ? toPesewas(delivery.offer) : partOf(delivery)
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

/** Sums in whole pesewas, because a sum of fractions of cedis gathers rounding errors. */
export type Tally = Record<'offers' | 'tips' | 'fees' | 'net' | Whereabouts, number>

export function tallyOf(earnings: Iterable<Earning>): Tally {
  const sums = { offers: 0, tips: 0, fees: 0, net: 0 }
  const places = { approval: 0, waiting: 0, onItsWay: 0, paid: 0, failed: 0 }
  for (const { offer, tip, fee, net, where } of earnings) {
    sums.offers += offer
    sums.tips += tip
    sums.fees += fee
    sums.net += net
    places[where] += net
  }
  return { ...sums, ...places }
}

/** The earnings of some days, such as `2026-11-21`: the first and the last are included. */
export function sumEarnings(earnings: readonly Earning[], from: string, to: string): Earnings {
  const days = new Map(daysFrom(from, to).map((day): [string, Earning[]] => [day, []]))
  for (const each of earnings) days.get(each.day)?.push(each)
  const { approval, waiting, ...sums } = tallyOf([...days.values()].flat())
  const inCedis = { ...sums, waiting: approval + waiting }
  for (const [name, pesewas] of Object.entries(inCedis))
    inCedis[name as keyof typeof inCedis] = toCedis(pesewas)
  return {
    ...inCedis,
    days: [...days].map(([day, all]) => ({
      day,
      net: toCedis(tallyOf(all).net),
      jobs: all.length,
    })),
  }
}

/** Each day from one to another, both included. */
function daysFrom(from: string, to: string): string[] {
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
