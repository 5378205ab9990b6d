import { type ReactNode, useState } from 'react'
import type { Entry } from '#store/deliveries/operations.ts'
import { isCreate } from '#store/deliveries/project.ts'
import { isShownByRow } from '#store/deliveries/take-back/has-happened.ts'
import { isUnsent, needsUpdate } from '#store/outbox/entry.ts'
import { attempt } from '../../browser/attempt.ts'
import { EditAndResend } from '../../components/delivery/edit-and-resend.tsx'
import { LostActions } from '../../components/delivery/lost.tsx'
import { SendAfterAll, TakeBackButton } from '../../components/delivery/take-back.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths, roomPath } from '../../paths.ts'
import { entryTitle } from '../../texts/outbox-texts.ts'

/** The actions of an entry that was not refused. `cancellation`: what takes back a request (S56). */
export function EntryActions({ entry, cancellation }: { entry: Entry; cancellation?: Entry }) {
  if (!isUnsent(entry)) return <EndedActions entry={entry} cancellation={cancellation} />
  if (entry.takingBack || cancellation)
    return (
      <Row>
        <SendAfterAll entry={entry} cancellation={cancellation} />
      </Row>
    )
  return <WaitingActions entry={entry} />
}

/** What could not be taken back is found where it is. */
function EndedActions({ entry, cancellation }: { entry: Entry; cancellation?: Entry }) {
  const isThere = entry.state === 'done' && (entry.takingBack || cancellation)
  if (!isThere || !(isCreate(entry) || isShownByRow(entry.op))) return null
  return (
    <Row>
      <ButtonLink look="line" to={roomPath(entry.lane)}>
        Open the delivery
      </ButtonLink>
    </Row>
  )
}

function WaitingActions({ entry }: { entry: Entry }) {
  const { retry } = useEntryCommands(entry)
  const sending = entry.state === 'sending'
  // One of a newer version waits for the update, whatever is pressed (S57).
  const isReadable = !needsUpdate(entry)
  return (
    <Row>
      {!sending && isReadable && (
        <Button look="line" onClick={retry}>
          Try now
        </Button>
      )}
      {isCreate(entry) && isReadable && (
        <EditAndResend entry={entry.id} op={entry.op} look="line" />
      )}
      {isCreate(entry) && isReadable && <Open entry={entry} />}
      <TakeBackButton entry={entry} />
    </Row>
  )
}

/** The actions of a refused entry, the most useful one first. */
export function RefusedActions({ entry }: { entry: Entry }) {
  const { retry, discard } = useEntryCommands(entry)
  const { reason, because } = entry.error ?? {}
  if (reason === 'lost')
    return (
      <Row>
        {because ? (
          <DiscardButton entry={entry} />
        ) : (
          <LostActions entry={entry.id} title={entryTitle(entry)} />
        )}
      </Row>
    )
  if (entry.op === 'acceptDelivery' && reason === 'taken')
    return (
      <Row>
        <ButtonLink to={paths.drive} onClick={() => void discard()}>
          Find another
        </ButtonLink>
        <Button look="line" onClick={discard}>
          Dismiss
        </Button>
      </Row>
    )
  if (entry.op === 'completeDelivery' && reason === 'wrong-code')
    return (
      <Row>
        <ButtonLink to={roomPath(entry.lane)}>Enter the code again</ButtonLink>
        <DiscardButton entry={entry} />
      </Row>
    )
  return (
    <Row>
      {isCreate(entry) && <EditAndResend entry={entry.id} op={entry.op} />}
      <Button look={isCreate(entry) ? 'line' : 'green'} onClick={retry}>
        Try again
      </Button>
      {isCreate(entry) && <Open entry={entry} />}
      <DiscardButton entry={entry} />
    </Row>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 pt-1 empty:hidden">{children}</div>
)

const Open = ({ entry }: { entry: Entry }) => (
  <ButtonLink look="line" to={roomPath(entry.lane)}>
    Open
  </ButtonLink>
)

function DiscardButton({ entry }: { entry: Entry }) {
  const { discard } = useEntryCommands(entry)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="red" onClick={() => setAsking(true)}>
        Discard
      </Button>
      {asking && (
        <Confirm
          title="Discard this?"
          yes="Discard"
          look="red"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          {`“${entryTitle(entry)}” is deleted from this phone, with what depends on it.`}
        </Confirm>
      )}
    </>
  )
}

function useEntryCommands(entry: Entry) {
  const { commands } = useSoma()
  return {
    retry: () => attempt('Error', () => commands.retry(entry.id)),
    discard: () => attempt('Error', () => commands.discard(entry.id)),
  }
}
