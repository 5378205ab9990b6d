import { useSearchParams } from 'react-router-dom'
import { Choice } from '../../components/forms/choice.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { AsGuest, Driven, GuestSent, Sent } from './delivery-lists.tsx'

/** Everything this person sent or drove: what is under way, and the past by month. */
export default function Deliveries() {
  const { user } = useVisitor()
  const [search, setSearch] = useSearchParams()
  const drives = user?.role === 'driver'
  const shown = search.get('show') === 'sent' || !drives ? 'sent' : 'driven'
  return (
    <PageLayout title="Deliveries">
      {drives && (
        <Choice
          legend="Show"
          name="show"
          value={shown}
          choices={[
            ['driven', 'Driving'],
            ['sent', 'Sent'],
          ]}
          onChange={(next) => setSearch(next === 'sent' ? { show: next } : {}, { replace: true })}
        />
      )}
      {user && shown === 'sent' && <AsGuest />}
      {!user ? <GuestSent /> : shown === 'sent' ? <Sent /> : <Driven />}
    </PageLayout>
  )
}
