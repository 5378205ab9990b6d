import { Suspense, useState } from 'react'
import { fullPrice } from '#domain/money.ts'
import type { MoneyDay } from '#store/queries/admin/admin.ts'
import { Button } from '../../../components/forms/button.tsx'
import { lazyPart } from '../../../components/page/lazy-part.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { Empty } from '../../../components/text/empty.tsx'
import { dayName } from '../dashboard/trends-table.tsx'
import type { FigureNames } from './money-texts.ts'

/** The plots' code is loaded when they are first shown, as on the dashboard. */
const Plots = lazyPart(() => import('./money-plots.tsx'), PlotsUnavailable)

type Props = { days: MoneyDay[]; names: FigureNames }

/** What moved on each of the last days, as plots or as a table. */
export function ByDay({ days, names }: Props) {
  const [asTable, setAsTable] = useState(false)
  return (
    <section className="grid gap-3" aria-label="The last 30 days">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>The last 30 days</h2>
        <Button look="line" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          Show as table
        </Button>
      </div>
      {asTable ? (
        <DaysTable days={days} names={names} />
      ) : (
        <Suspense fallback={<Waiting />}>
          <Plots days={days} names={names} />
        </Suspense>
      )}
    </section>
  )
}

function PlotsUnavailable() {
  return (
    <Empty icon="clock" title="Not available offline">
      The charts come when you're back online.
    </Empty>
  )
}

function Waiting() {
  return (
    <div className="grid gap-4 xl:grid-cols-2" role="status">
      <span className="sr-only">Loading charts</span>
      {['in', 'out'].map((name) => (
        <Skeleton key={name} className="h-[17rem] rounded-card" />
      ))}
    </div>
  )
}

/** The plots' figures, newest day first. */
function DaysTable({ days, names }: Props) {
  const heads = ['Day', names.day, names.paidOut, names.refunded, names.fees]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section aria-label="Days" tabIndex={0} className="card max-h-96 overflow-auto p-0">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">What moved on each day</caption>
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
          {[...days].reverse().map(({ day, held, paidOut, refunded, fees }) => (
            <tr key={day} className="border-t border-line">
              <th scope="row" className="px-3 py-2 font-semibold whitespace-nowrap">
                {dayName(day)}
              </th>
              {Object.entries({ held, paidOut, refunded, fees }).map(([name, amount]) => (
                <td key={name} className="px-3 py-2 whitespace-nowrap tabular-nums">
                  {fullPrice(amount)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
