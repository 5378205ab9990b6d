import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type Entry, isUnsent } from '#store/entry.ts'
import { attempt } from '../../attempt.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Tag, type Tone } from '../../components/pieces.tsx'
import { isPutOff } from '../../components/status.tsx'
import { titleOf } from '../../outcomes.ts'
import { paths, roomPath } from '../../paths.ts'
import { useSoma } from '../../soma.ts'
import { atTime } from '../../time.ts'

/** One thing this phone means to say, or has said. `all` holds whatever it may be waiting for. */
export function EntryCard({ entry, all }: { entry: Entry; all: Entry[] }) {
  const { text, tone } = stateOf(entry, all)
  const acted = `Saved on this phone at ${atTime(entry.occurredAt)}`
  return (
    <article
      aria-label={titleOf(entry)}
      className={`card grid gap-2 ${entry.state === 'refused' ? 'border-clay' : ''}`}
    >
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <strong>{titleOf(entry)}</strong>
        <Tag tone={tone}>{text}</Tag>
      </div>
      {entry.state === 'sending' && <Progress />}
      <p className="text-sm text-soft">{acted}</p>
      {entry.error && (entry.state === 'refused' || entry.state === 'parked') && (
        <p className={entry.state === 'refused' ? 'font-semibold text-clay' : 'text-sm text-soft'}>
          {entry.error.message}
        </p>
      )}
      <Ways entry={entry} />
    </article>
  )
}

/** How far an upload is nobody tells us; that it moves is all that can be said. */
function Progress() {
  return (
    <div aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-line">
      <div className="h-full w-2/5 rounded-full bg-gold [animation:beat_1.2s_infinite]" />
    </div>
  )
}

function Ways({ entry }: { entry: Entry }) {
  const { commands } = useSoma()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const unsent = isUnsent(entry)
  const creates = entry.op === 'createDelivery' || entry.op === 'createGuestDelivery'
  if (!unsent && entry.state !== 'refused') return null
  const sending = entry.state === 'sending'
  const retry = () => attempt('Error', () => commands.retry(entry.id))
  const discard = () => attempt('Error', () => commands.discard(entry.id))
  const edit = () =>
    attempt('Error', async () => {
      await commands.editAndResend(entry.id)
      navigate(`${paths.send}?as=${entry.op === 'createGuestDelivery' ? 'guest' : 'account'}`)
    })
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      {!sending && (
        <Button look={unsent ? 'line' : 'green'} onClick={retry}>
          {unsent ? 'Try now' : 'Retry'}
        </Button>
      )}
      {creates && !sending && (
        <Button look="line" onClick={edit}>
          Edit &amp; resend
        </Button>
      )}
      {creates && (
        <ButtonLink look="line" to={roomPath(entry.lane)}>
          Open
        </ButtonLink>
      )}
      {entry.op === 'acceptDelivery' && entry.state === 'refused' && (
        <ButtonLink look="line" to={paths.drive}>
          Find another
        </ButtonLink>
      )}
      {!sending && (
        <Button look="clay" onClick={() => setAsking(true)}>
          Discard
        </Button>
      )}
      {asking && (
        <Confirm
          title="Discard this?"
          yes="Discard"
          look="clay"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          “{titleOf(entry)}” is not sent, and neither is what depends on it.
        </Confirm>
      )}
    </div>
  )
}

/** Pure: an entry's state in the words of its card. */
export function stateOf(entry: Entry, all: readonly Entry[]): { text: string; tone: Tone } {
  switch (entry.state) {
    case 'waiting':
      return waitingFor(entry, all)
    case 'retrying':
      if (isPutOff(entry))
        return { text: `Too many tries, asked again at ${atTime(entry.nextAt)}`, tone: 'gold' }
      return { text: 'No answer yet, trying again', tone: 'gold' }
    case 'sending':
      return { text: 'Sending…', tone: 'gold' }
    case 'parked':
      return { text: 'Put off, tried once a day', tone: 'clay' }
    case 'refused':
      return { text: 'Not sent', tone: 'clay' }
    case 'cancelled':
      return { text: 'Taken back', tone: 'plain' }
    case 'done':
      return { text: entry.endedAt ? `Sent ${atTime(entry.endedAt)}` : 'Sent', tone: 'green' }
  }
}

function waitingFor(entry: Entry, all: readonly Entry[]): { text: string; tone: Tone } {
  const parent = all.find((each) => entry.after.includes(each.id) && isUnsent(each))
  if (parent?.op === 'uploadPhoto') return { text: 'Waits for its photo', tone: 'gold' }
  if (parent) return { text: `Waits for ${titleOf(parent)}`, tone: 'gold' }
  return { text: 'Waiting', tone: 'gold' }
}
