import { fullPrice, toCedis, toPesewas } from '#domain/money.ts'
import { jobs, pulled } from '#store/queries/lists.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { Skeleton } from '../../components/page/skeleton.tsx'
import { useListState } from '../../hooks/use-list-state.ts'
import { useLive } from '../../hooks/use-live.ts'

/** What was paid to the driver, and what waits for the sender's approval (R41). */
export function Earnings() {
  const rows = useLive((db) => jobs(db, 10_000))
  const isPart = useLive((db) => pulled(db, 'jobs'))?.older !== undefined
  const list = useListState({ kind: 'jobs' })
  if (!rows || (rows.length === 0 && list.is === 'unknown'))
    return <Skeleton className="h-60 rounded-card sm:h-30" />
  if (rows.length === 0) return null
  return (
    <section className="card grid gap-3" aria-labelledby="earnings">
      <h2 id="earnings">Earnings</h2>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Amount
          name="Paid to you"
          of={rows.filter(({ view }) => view.status === 'Approved')}
          isHighlighted
        />
        <Amount
          name="Waiting for approval"
          of={rows.filter(({ view }) => view.status === 'Delivered')}
        />
        <div className="grid gap-0.5">
          <dt className="text-sm text-soft">Deliveries completed</dt>
          <dd className="text-xl font-extrabold">
            {rows.filter(({ view }) => completed.has(view.status)).length}
          </dd>
        </div>
      </dl>
      {isPart && (
        <p className="text-sm text-soft">
          Counts the {rows.length} newest of your jobs. Older ones are added as you scroll.
        </p>
      )}
    </section>
  )
}

const completed: ReadonlySet<string> = new Set(['Delivered', 'Approved'])

function Amount({
  name,
  of,
  isHighlighted: lit,
}: {
  name: string
  of: DeliveryRow[]
  isHighlighted?: boolean
}) {
  // In whole pesewas, because a sum of fractions of cedis gathers rounding errors.
  const pesewas = of.reduce((sum, { view }) => sum + toPesewas(view.offer), 0)
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-soft">{name}</dt>
      <dd className={`text-xl font-extrabold tracking-tight ${lit ? 'text-green' : ''}`}>
        {fullPrice(toCedis(pesewas))}
      </dd>
    </div>
  )
}
