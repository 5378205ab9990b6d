import { useState } from 'react'
import { shortPrice, toCedis } from '#domain/money.ts'
import { tallyOf } from '#domain/payouts/earnings.ts'
import { Link } from '../../../components/forms/link.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { paths, roomPath } from '../../../paths.ts'
import { dateFormat } from '../../../texts/time.ts'
import { placeOf, placeTones } from './earnings-texts.ts'
import type { JobEarning, Week } from './job-earnings.ts'

/** A week: what it brought, by day as bars, and each job. One that is closed draws nothing. */
export function WeekOfEarnings({ week, title }: { week: Week; title: string }) {
  const [isOpen, setOpen] = useState(title === 'This week')
  const { earned, days } = week
  const jobs = `${earned.length} ${earned.length === 1 ? 'job' : 'jobs'}`
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="card grid gap-3"
    >
      <summary className="flex min-h-12 cursor-pointer flex-wrap items-center justify-between gap-x-3">
        <h2>{title}</h2>
        <span className="tabular-nums">
          <span className="text-sm text-soft">{jobs} · </span>
          <strong>{shortPrice(toCedis(tallyOf(earned).net))}</strong>
        </span>
      </summary>
      {isOpen && (
        <div className="grid gap-4 pt-2">
          <Bars days={days} />
          {earned.length === 0 ? (
            <p className="text-soft">No deliveries this week yet.</p>
          ) : (
            <ul className="grid gap-2">
              {earned.map((each) => (
                <Job key={each.ID} earned={each} />
              ))}
            </ul>
          )}
        </div>
      )}
    </details>
  )
}

function Bars({ days }: Pick<Week, 'days'>) {
  const sums = days.map(({ day, earned }) => ({ day, net: tallyOf(earned).net }))
  const most = Math.max(1, ...sums.map(({ net }) => net))
  return (
    <ol className="grid gap-1.5 text-sm tabular-nums" aria-label="By day">
      {sums.map(({ day, net }) => (
        <li key={day} className="grid grid-cols-[2.75em_minmax(0,1fr)_5.5em] items-center gap-2">
          <span className="text-soft">{weekday(day)}</span>
          <span aria-hidden="true" className="h-3 rounded-full bg-line">
            <span
              className="block h-full rounded-full bg-green"
              style={{ width: `${(net / most) * 100}%` }}
            />
          </span>
          <span className={`text-right ${net > 0 ? 'font-semibold' : 'text-soft'}`}>
            {shortPrice(toCedis(net))}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Job({ earned }: { earned: JobEarning }) {
  const { ID, item, day, net, where } = earned
  return (
    <li className="relative grid gap-1 rounded-control border border-line p-3 active:bg-green-wash">
      <div className="flex items-baseline justify-between gap-3">
        <Link
          to={roomPath(ID)}
          className="min-w-0 font-semibold [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {item}
        </Link>
        <strong className="tabular-nums">{shortPrice(toCedis(net))}</strong>
      </div>
      <p className="text-sm text-soft">
        <Verbatim>{earned.pickupZone}</Verbatim> to <Verbatim>{earned.dropoffZone}</Verbatim>,{' '}
        {dayName(day)}
      </p>
      <p className="text-sm text-soft tabular-nums">{partsOf(earned)}</p>
      <div className="flex flex-wrap items-center gap-2">
        <Tag tone={placeTones[where]}>{placeOf(earned)}</Tag>
        {where === 'failed' && (
          <Link
            to={`${paths.profile}#payout`}
            className="relative font-semibold text-green underline"
          >
            Check your number
          </Link>
        )}
      </div>
    </li>
  )
}

/** `Offer ₵40 + tip ₵5 − fee ₵3`. */
function partsOf({ offer, tip, fee }: JobEarning): string {
  const price = (pesewas: number) => shortPrice(toCedis(pesewas))
  const parts = [`Offer ${price(offer)}`]
  if (tip > 0) parts.push(`+ tip ${price(tip)}`)
  if (fee > 0) parts.push(`− fee ${price(fee)}`)
  return parts.join(' ')
}

const weekday = (day: string) =>
  dateFormat({ weekday: 'short', timeZone: 'UTC' }).format(new Date(day))
const dayName = (day: string) =>
  dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(day),
  )
