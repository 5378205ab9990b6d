import { useState } from 'react'
import { type OwnSession, ownSessions } from '#store/queries/account/sessions.ts'
import { attempt } from '../../browser/attempt.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button } from '../../components/forms/button.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { dateFormat, timeAgo } from '../../texts/time.ts'

const nameOf = ({ device }: OwnSession) => device || 'Unknown device'

/** `21 Nov`, in the device's time zone. */
const day = (when: string) => dateFormat({ day: 'numeric', month: 'short' }).format(new Date(when))

/** The number of devices shown at first, so that Logout below stays within reach. */
const few = 5

/**
 * The devices this person is logged in on, each with a button to end its session (R12). Hidden where the
 * server has no such list.
 */
export function Sessions() {
  const { expired } = useVisitor()
  const list = useListState({ kind: 'sessions' })
  const sessions = useOwn(ownSessions)
  const [isWhole, setIsWhole] = useState(false)
  if (expired || list.is === 'refused') return null
  return (
    <section className="card grid gap-3" aria-labelledby="sessions">
      <h2 id="sessions">Signed in on</h2>
      {sessions && sessions.length > 0 ? (
        <>
          <ul className="grid gap-3">
            {(isWhole ? sessions : sessions.slice(0, few)).map((session) => (
              <Session key={session.id} session={session} />
            ))}
          </ul>
          {sessions.length > few && !isWhole && (
            <Button look="line" onClick={() => setIsWhole(true)}>
              Show all {sessions.length}
            </Button>
          )}
        </>
      ) : isUnavailable(list) ? (
        <p className="text-soft">
          {list.is === 'failed' ? 'Temporarily unavailable' : 'Not available offline'}
        </p>
      ) : sessions && list.is === 'known' ? (
        <p className="text-soft">No devices to show.</p>
      ) : (
        <Loading rows={1} label="Loading your devices" />
      )}
    </section>
  )
}

function Session({ session }: { session: OwnSession }) {
  const [asking, setAsking] = useState(false)
  const { createdAt, usedAt, current, ending } = session
  const since = `since ${day(createdAt)}`
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 border-t border-line pt-3 first:border-0 first:pt-0">
      <div className="grid min-w-0 gap-0.5">
        <strong className="[overflow-wrap:anywhere]">{nameOf(session)}</strong>
        <span className="text-sm text-soft">
          {since} · last used {timeAgo(Date.parse(usedAt))}
        </span>
      </div>
      {current ? (
        <Tag>This device</Tag>
      ) : ending ? (
        <span role="status" className="text-sm font-semibold text-soft">
          Signing out…
        </span>
      ) : (
        <Button
          look="line"
          tight
          aria-label={`Sign out on ${nameOf(session)}, ${since}`}
          onClick={() => setAsking(true)}
        >
          Sign out
        </Button>
      )}
      {asking && <Ask session={session} onClose={() => setAsking(false)} />}
    </li>
  )
}

function Ask({ session, onClose }: { session: OwnSession; onClose: () => void }) {
  const { commands } = useSoma()
  return (
    <Confirm
      title={`Sign out on ${nameOf(session)}?`}
      yes="Sign out"
      no="Cancel"
      look="red"
      onYes={() => attempt('Error', () => commands.endSession(session.id))}
      onClose={onClose}
    >
      Whoever uses it needs your password to log in again.
    </Confirm>
  )
}
