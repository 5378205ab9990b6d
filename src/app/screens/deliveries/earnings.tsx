import { fullPrice } from '#domain/money.ts'
import { jobs, listInfo } from '#store/queries/lists.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { Skeleton } from '../../components/page/skeleton.tsx'
import { useListState } from '../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../hooks/use-live.ts'
import { earningsOf } from './earnings-of.ts'

/** What was paid to the driver, and what waits for the sender's approval (R41, R105, R107). */
export function Earnings() {
  const sums = useOwn(sumsOfJobs)
  const isPart = useOwn(listInfo, 'jobs')?.pulled?.older !== undefined
  const list = useListState({ kind: 'jobs' })
  if (!sums || (sums.jobs === 0 && list.is === 'unknown'))
    return <Skeleton className="h-60 rounded-card sm:h-30" />
  if (sums.jobs === 0) return null
  return (
    <section className="card grid gap-3" aria-labelledby="earnings">
      <h2 id="earnings">Earnings</h2>
      <dl className="grid gap-3 sm:grid-cols-3">
        <Amount name="Paid to you" cedis={sums.paid} isHighlighted />
        <Amount name="Waiting for approval" cedis={sums.waiting} />
        <div className="grid gap-0.5">
          <dt className="text-sm text-soft">Deliveries completed</dt>
          <dd className="text-xl font-extrabold">{sums.completed}</dd>
        </div>
      </dl>
      {isPart && (
        <p className="text-sm text-soft">
          Counts the {sums.jobs} newest of your jobs. Older ones are added as you scroll.
        </p>
      )}
    </section>
  )
}

/** The sums alone stay in memory, not ten thousand rows. */
async function sumsOfJobs(db: SomaDb, account?: string) {
  const rows = await jobs(db, 10_000, account)
  return { ...earningsOf(rows), jobs: rows.length }
}

function Amount(props: { name: string; cedis: number; isHighlighted?: boolean }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-sm text-soft">{props.name}</dt>
      <dd
        className={`text-xl font-extrabold tracking-tight ${props.isHighlighted ? 'text-green' : ''}`}
      >
        {fullPrice(props.cedis)}
      </dd>
    </div>
  )
}
