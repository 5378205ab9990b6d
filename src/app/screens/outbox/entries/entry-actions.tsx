import type { ReactNode } from 'react'
import { isCreate } from '#store/deliveries/project.ts'
import { isDeclined } from '#store/entries/declined.ts'
import type { Entry } from '#store/entries/operations.ts'
import { isUndoable, isUnsent, needsUpdate } from '#sync/database/entry.ts'
import { attempt } from '../../../browser/attempt.ts'
import { DiscardButton } from '../../../components/delivery/unsent/discard-button.tsx'
import { EditAndResend } from '../../../components/delivery/unsent/edit-and-resend.tsx'
import { LostActions } from '../../../components/delivery/unsent/lost.tsx'
import { SendAfterAll, TakeBackButton } from '../../../components/delivery/unsent/take-back.tsx'
import { Button, ButtonLink } from '../../../components/forms/button.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { guestRecoveryPath, paths, roomPath } from '../../../paths.ts'
import { entryTitle } from '../../../texts/outbox-texts.ts'
import { More } from '../more.tsx'

/** What can be done about an item, the most useful first. `cancellation`: what takes back a request (S56). */
export function EntryActions({ entry, cancellation }: { entry: Entry; cancellation?: Entry }) {
  if (entry.state === 'refused') return <RefusedActions entry={entry} />
  if (!isUnsent(entry)) return null
  if (entry.withdrawal === 'asked' || cancellation) return null
  if (entry.withdrawal)
    return (
      <Row>
        <TakeBackButton entry={entry} />
        <SendAfterAll entry={entry} />
      </Row>
    )
  return <WaitingActions entry={entry} />
}

function WaitingActions({ entry }: { entry: Entry }) {
  const { retry, discard } = useEntryCommands(entry)
  if (isUndoable(entry))
    return (
      <Row>
        <Button look="line" onClick={discard}>
          Undo
        </Button>
      </Row>
    )
  const sending = entry.state === 'sending'
  // One of a newer version waits for the update, whatever is pressed (S57).
  const isReadable = !needsUpdate(entry)
  return (
    <Row>
      {!sending && isReadable && (
        <Button look="line" onClick={retry}>
          Retry
        </Button>
      )}
      {entry.error?.reason === 'moved' && (
        <ButtonLink to={guestRecoveryPath}>Get it back by SMS</ButtonLink>
      )}
      {isCreate(entry) && isReadable && (
        <EditAndResend entry={entry.id} op={entry.op} look="line" />
      )}
      <More about={entryTitle(entry)}>
        <TakeBackButton entry={entry} />
      </More>
    </Row>
  )
}

/** The actions of a refused entry. */
function RefusedActions({ entry }: { entry: Entry }) {
  const { retry, discard } = useEntryCommands(entry)
  const { reason, because } = entry.error ?? {}
  const title = entryTitle(entry)
  if (reason === 'lost')
    return (
      <Row>
        {because ? (
          <DiscardButton entry={entry.id} title={title} />
        ) : (
          <LostActions entry={entry.id} title={title} />
        )}
      </Row>
    )
  if (isDeclined(entry))
    return (
      <Row>
        {entry.op === 'acceptDelivery' && (
          <ButtonLink to={paths.drive} onClick={() => void discard()}>
            Find next job
          </ButtonLink>
        )}
        <Button look="line" onClick={discard}>
          Dismiss
        </Button>
      </Row>
    )
  if (entry.op === 'completeDelivery' && reason === 'wrong-code')
    return (
      <Row>
        <ButtonLink to={`${roomPath(entry.lane)}#code`}>Enter the code again</ButtonLink>
        <More about={title}>
          <DiscardButton entry={entry.id} title={title} />
        </More>
      </Row>
    )
  return (
    <Row>
      {isCreate(entry) && <EditAndResend entry={entry.id} op={entry.op} />}
      <Button look={isCreate(entry) ? 'line' : 'green'} onClick={retry}>
        Retry
      </Button>
      <More about={title}>
        <DiscardButton entry={entry.id} title={title} />
      </More>
    </Row>
  )
}

/** Above the link that covers the card. */
const Row = ({ children }: { children: ReactNode }) => (
  <div className="relative flex flex-wrap gap-2 pt-1 empty:hidden">{children}</div>
)

function useEntryCommands(entry: Entry) {
  const { commands } = useSoma()
  return {
    retry: () => attempt('Error', () => commands.retry(entry.id)),
    discard: () => attempt('Error', () => commands.discard(entry.id)),
  }
}
