import { adminDisputes } from '#store/queries.ts'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, Loading } from '../../components/pieces.tsx'
import { useListState } from '../../list-state.ts'
import { useLive } from '../../live.ts'
import { toast } from '../../toasts.ts'

const notYet = () =>
  toast({
    title: 'Dispute details',
    text: 'Viewing full dispute details is not yet implemented.',
  })

/** What senders and drivers reported (spec §2, Disputes). */
export function Disputes() {
  const list = useListState('adminDisputes', 'Failed to load disputes')
  const rows = useLive(adminDisputes)
  return (
    <Page title="Resolve Disputes">
      <section className="grid gap-3" aria-label="Open Disputes">
        <h2>Open Disputes</h2>
        {rows === undefined || (rows.length === 0 && list.is === 'unknown') ? (
          <Loading label="Loading disputes" />
        ) : rows.length === 0 ? (
          <Empty icon="check" title="No active disputes">
            Everything is running smoothly!
          </Empty>
        ) : (
          <ul className="grid gap-3 lg:grid-cols-2">
            {rows.map(({ ID, DeliveryID }) => (
              <li key={ID} className="card flex flex-wrap items-center justify-between gap-3">
                <span className="grid min-w-0">
                  <strong>Dispute #{ID}</strong>
                  <span className="text-sm text-soft">Delivery: {DeliveryID}</span>
                </span>
                <Button look="line" onClick={notYet}>
                  View Details
                </Button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </Page>
  )
}
