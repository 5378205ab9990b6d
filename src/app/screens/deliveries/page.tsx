import { useSearchParams } from 'react-router-dom'
import { ButtonLink } from '../../components/forms/button.tsx'
import { Choice } from '../../components/forms/choice.tsx'
import { PageLayout } from '../../components/page/page.tsx'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'
import { AsGuest, Driven, GuestSent, Sent } from './delivery-lists.tsx'
import { Earned } from './earnings/earned.tsx'

const shownParts = { sent: <Sent />, driven: <Driven />, earnings: <Earned /> }

/** Everything this person sent or drove: what is under way, and the past by month. */
export default function Deliveries() {
  const { user } = useVisitor()
  const [search, setSearch] = useSearchParams()
  const drives = user?.role === 'driver'
  const asked = search.get('show')
  const shown = !drives || asked === 'sent' ? 'sent' : asked === 'earnings' ? asked : 'driven'
  return (
    <PageLayout title={shown === 'earnings' ? 'Earnings' : 'Deliveries'}>
      {shown === 'earnings' && (
        <ButtonLink look="line" icon="back" className="justify-self-start" to={paths.deliveries}>
          All jobs
        </ButtonLink>
      )}
      {drives && shown !== 'earnings' && (
        <Choice
          legend="Show"
          name="show"
          value={shown}
          choices={[
            ['driven', 'Driving'],
            ['sent', 'Sent'],
          ]}
          onChange={(next) => setSearch(next === 'driven' ? {} : { show: next }, { replace: true })}
        />
      )}
      {user && shown === 'sent' && <AsGuest />}
      {user ? shownParts[shown] : <GuestSent />}
    </PageLayout>
  )
}
