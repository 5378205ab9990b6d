import { jobs, sent } from '#store/queries/lists.ts'
import { DeliveryLine } from '../../components/delivery/delivery-line.tsx'
import { ButtonLink } from '../../components/forms/button.tsx'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { paths } from '../../paths.ts'

/** How many deliveries stand on the account's screen. */
const few = 3

/** The newest deliveries that this person sent or drove, and the way to all of them. */
export function Recent({ drives }: { drives: boolean }) {
  useWatch({ kind: drives ? 'jobs' : 'sent' })
  const rows = useOwn(drives ? jobs : sent, few)
  if (!rows || rows.length === 0) return null
  return (
    <section className="grid gap-2" aria-labelledby="recent">
      <h2 id="recent">{drives ? 'Driving jobs' : 'Sent deliveries'}</h2>
      <div className="grid gap-2">
        {rows.map((row) => (
          <DeliveryLine key={row.ID} row={row} />
        ))}
      </div>
      <ButtonLink look="line" to={paths.deliveries} className="justify-self-start">
        All deliveries
      </ButtonLink>
    </section>
  )
}
