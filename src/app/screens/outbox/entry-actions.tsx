import { type ReactNode, useState } from 'react'
import type { Entry } from '#store/deliveries/operations.ts'
import { isUnsent, mayHaveArrived } from '#store/outbox/entry.ts'
import { attempt } from '../../browser/attempt.ts'
import { EditAndResend } from '../../components/delivery/edit-and-resend.tsx'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { paths, roomPath } from '../../paths.ts'
import { entryTitle } from '../../texts/outbox-texts.ts'

/** What can be done about an entry that has not left: the person may think again until it does. */
export function WaitingActions({ entry }: { entry: Entry }) {
  const { retry } = useEntryCommands(entry)
  if (!isUnsent(entry)) return null
  const sending = entry.state === 'sending'
  if (sending && !isCreate(entry)) return null
  return (
    <Row>
      {!sending && (
        <Button look="line" onClick={retry}>
          Try now
        </Button>
      )}
      {isCreate(entry) && <EditAndResend entry={entry.id} op={entry.op} look="line" />}
      {isCreate(entry) && <Open entry={entry} />}
      {(isCreate(entry) || !sending) && <DiscardButton entry={entry} word="Take back" />}
    </Row>
  )
}

/** What can be done about an entry that was refused, what is likely to help first. */
export function RefusedActions({ entry }: { entry: Entry }) {
  const { retry, discard } = useEntryCommands(entry)
  const { reason } = entry.error ?? {}
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
        <DiscardButton entry={entry} word="Discard" />
      </Row>
    )
  return (
    <Row>
      {isCreate(entry) && <EditAndResend entry={entry.id} op={entry.op} />}
      <Button look={isCreate(entry) ? 'line' : 'green'} onClick={retry}>
        Try again
      </Button>
      {isCreate(entry) && <Open entry={entry} />}
      <DiscardButton entry={entry} word="Discard" />
    </Row>
  )
}

const isCreate = ({ op }: Entry) => op === 'createDelivery' || op === 'createGuestDelivery'

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 pt-1">{children}</div>
)

const Open = ({ entry }: { entry: Entry }) => (
  <ButtonLink look="line" to={roomPath(entry.lane)}>
    Open
  </ButtonLink>
)

function DiscardButton({ entry, word }: { entry: Entry; word: 'Take back' | 'Discard' }) {
  const { discard } = useEntryCommands(entry)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Button look="clay" onClick={() => setAsking(true)}>
        {word}
      </Button>
      {asking && (
        <Confirm
          title={`${word} this?`}
          yes={word}
          look="clay"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          {isCreate(entry) && isUnsent(entry) && mayHaveArrived(entry)
            ? `“${entryTitle(entry)}” may have arrived already. It is cancelled as soon as there is a connection.`
            : `“${entryTitle(entry)}” is not sent, and neither is what depends on it.`}
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
