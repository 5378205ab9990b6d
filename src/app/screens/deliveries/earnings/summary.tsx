import { tallyOf } from '#domain/payouts/earnings.ts'
import { listInfo } from '#store/queries/lists.ts'
import { ButtonLink } from '../../../components/forms/button.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { Amount, Figure } from './amount.tsx'
import { jobEarnings } from './job-earnings.ts'

/** What was paid to the driver, what is theirs and not paid yet, and what waits for the sender's approval (R182). */
export function Earnings() {
  const found = useOwn(jobEarnings)
  const isPart = useOwn(listInfo, 'jobs')?.pulled?.older !== undefined
  const list = useListState({ kind: 'jobs' })
  if (!found || (found.jobs === 0 && list.is === 'unknown'))
    return <Skeleton className="h-74 rounded-card sm:h-45" />
  if (found.jobs === 0) return null
  const { paid, approval, waiting, onItsWay, failed } = tallyOf(found.earned)
  const owed = waiting + onItsWay + failed
  return (
    <section className="card grid gap-3" aria-labelledby="earnings">
      <h2 id="earnings">Earnings</h2>
      <dl className="grid gap-3 sm:grid-cols-[repeat(auto-fit,minmax(9rem,1fr))]">
        <Amount name="Paid to you" pesewas={paid} isHighlighted />
        {owed > 0 && <Amount name="Not paid yet" pesewas={owed} />}
        <Amount name="Waiting for approval" pesewas={approval} />
        <Figure name="Deliveries completed">
          {found.earned.filter(({ isDelivered }) => isDelivered).length}
        </Figure>
      </dl>
      {isPart && (
        <p className="text-sm text-soft">
          Counts the {found.jobs} newest of your jobs. Older ones are added as you scroll.
        </p>
      )}
      <ButtonLink look="line" to="?show=earnings" className="justify-self-start">
        See by day and week
      </ButtonLink>
    </section>
  )
}
