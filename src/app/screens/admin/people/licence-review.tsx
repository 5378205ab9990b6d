import { times } from '#domain/product.ts'
import type { Application } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { UndoButton } from '../../../components/forms/undo-button.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { useSecondsLeft } from '../../../hooks/time/use-seconds-left.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useIsSupport } from '../../../hooks/use-visitor.ts'
import { licenceText } from '../../../texts/licence-texts.ts'

/** A courier licence that an approved driver changed, and the decision on it (R139); nothing where there is none. */
export function LicenceReview({ driver }: { driver: Application }) {
  const { licencePending, licenceDecision } = driver
  if (!licencePending) return null
  return (
    <Notice title="New courier licence to check">
      <p className="text-sm [overflow-wrap:anywhere]">
        {licenceText(licencePending, new Date().toISOString())}
      </p>
      {licenceDecision ? <Decided driver={driver} /> : <Decisions driver={driver} />}
    </Notice>
  )
}

function Decisions({ driver: { ID } }: { driver: Application }) {
  const { commands } = useSoma()
  const isSupport = useIsSupport()
  const decide = (decision: 'accepted' | 'refused') =>
    attempt(
      'Error',
      () => commands.reviewLicence(ID, decision, { holdFor: times.undo }),
      'Failed to check the licence',
    )
  if (isSupport) return <p>An admin decides about it.</p>
  return (
    <div className="flex flex-wrap gap-2 *:flex-1">
      <Button look="green" onClick={() => decide('accepted')}>
        Accept licence
      </Button>
      <Button look="line" onClick={() => decide('refused')}>
        Refuse licence
      </Button>
    </div>
  )
}

/** First it can be undone, then it waits for the server (R99). */
function Decided({ driver: { licenceDecision, User } }: { driver: Application }) {
  const left = useSecondsLeft(licenceDecision)
  const word = licenceDecision?.input.licence === 'accepted' ? 'Accepted' : 'Refused'
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="font-semibold" role="status">
        {left > 0 ? word : `${word} · not confirmed yet`}
      </p>
      <UndoButton entry={licenceDecision} what={` for the licence of ${User.Name}`} />
    </div>
  )
}
