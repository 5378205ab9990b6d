import { Status } from '#domain/deliveries/delivery.ts'
import { fullPrice } from '#domain/money.ts'
import type { TrendDay } from '#store/queries/admin/admin.ts'
import { dateFormat } from '../../../texts/time.ts'

const heads = ['Day', ...Status.options, 'Revenue', 'Typical time']

/** The plots' figures as a table, newest day first. */
export function TrendsTable({ days }: { days: TrendDay[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section aria-label="Days" tabIndex={0} className="card max-h-96 overflow-auto p-0">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">
          Deliveries by day and status, revenue and time from Pending to Delivered
        </caption>
        <thead className="sticky top-0 bg-card">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="px-3 py-2.5 whitespace-nowrap text-soft">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map(({ day, statuses, revenue, minutes }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="px-3 py-2 font-semibold whitespace-nowrap">
                {dayName(day)}
              </th>
              {Status.options.map((status) => (
                <td key={status} className="px-3 py-2">
                  {statuses[status] ?? 0}
                </td>
              ))}
              <td className="px-3 py-2 whitespace-nowrap">{fullPrice(revenue)}</td>
              <td className="px-3 py-2 whitespace-nowrap">
                {minutes === undefined ? 'None' : durationText(minutes)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** `21 Nov`. Days are Ghana's, which are those of UTC, whatever the device's time zone. */
export const dayName = (day: string): string =>
  dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  )

/** `45 min`, `2 h 5 min`. */
export const durationText = (minutes: number): string => {
  const [hours, rest] = [Math.floor(minutes / 60), Math.round(minutes % 60)]
  if (hours === 0) return `${rest} min`
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
}
