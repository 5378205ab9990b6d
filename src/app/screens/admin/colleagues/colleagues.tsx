import { useState } from 'react'
import type { User } from '#domain/users/user.ts'
import { adminColleagues, type Colleagues as Found } from '#store/queries/admin/office-people.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { PageLayout } from '../../../components/page/page.tsx'
import { Loading } from '../../../components/page/skeleton.tsx'
import { ListUnavailable } from '../../../components/text/list-unavailable.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { timeOrDate } from '../../../texts/time.ts'
import { Invite } from './invite.tsx'

const roleNames = { admin: 'Admin', support: 'Support' }
const roleNameOf = (role: string) => (role === 'admin' ? roleNames.admin : roleNames.support)

/** Who works at the office: invite, change the role of, and remove colleagues (R209, R212). */
export function Colleagues() {
  const list = useListState({ kind: 'adminColleagues' }, 'Failed to load the colleagues')
  const found = useOwn(adminColleagues)
  return (
    <PageLayout title="Colleagues">
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {found ? (
          <People found={found} />
        ) : isUnavailable(list) ? (
          <ListUnavailable list={list} icon="people" what="Your colleagues come" />
        ) : (
          <Loading rows={2} label="Loading colleagues" />
        )}
        <Invite />
      </div>
    </PageLayout>
  )
}

function People({ found: { colleagues, invitations } }: { found: Found }) {
  return (
    <section className="card grid gap-3" aria-labelledby="colleagues">
      <h2 id="colleagues">At the office</h2>
      <ul className="grid gap-3">
        {colleagues.map((colleague) => (
          <Colleague key={colleague.ID} colleague={colleague} />
        ))}
        {invitations.map(({ ID, email, role, expiresAt }) => (
          <Row
            key={ID}
            name={email}
            about={`${roleNames[role]} · link valid until ${timeOrDate(expiresAt)}`}
          >
            <Tag>Invited</Tag>
            <Change
              text="Withdraw"
              title={`Withdraw the invitation to ${email}?`}
              about="Its link stops working."
              change={(session) => session.removeColleague(ID)}
            />
          </Row>
        ))}
      </ul>
    </section>
  )
}

function Colleague({ colleague }: { colleague: User }) {
  const { ID, name, email, role, secondFactor } = colleague
  const { user } = useVisitor()
  const other = role === 'admin' ? 'support' : 'admin'
  return (
    <Row name={name} about={email}>
      <Tag tone={role === 'admin' ? 'gold' : 'plain'}>{roleNameOf(role)}</Tag>
      {secondFactor && <Tag>Second step on</Tag>}
      {ID === user?.ID ? (
        <span className="text-sm text-soft">You. Another admin changes this.</span>
      ) : (
        <>
          <Change
            text={`Make ${roleNames[other].toLowerCase()}`}
            title={`Make ${name} ${roleNames[other].toLowerCase()}?`}
            about={
              other === 'admin'
                ? 'They can then move money, decide, change settings and invite others.'
                : 'They can then read and help, but move no money, decide nothing and change no settings.'
            }
            change={(session) => session.changeColleague(ID, other)}
          />
          <Change
            text="Remove"
            title={`Remove ${name}?`}
            about="They are logged out everywhere and lose the office at once. What they did stays in the audit log. You can invite them again."
            change={(session) => session.removeColleague(ID)}
          />
          {secondFactor && (
            <Change
              text="Take away second step"
              title={`Take away the second step of ${name}?`}
              about="For a lost phone. They then log in with the password alone, until they set it up again."
              change={async (session) => {
                await session.secondFactor('removeSecondFactor', { id: ID })
              }}
            />
          )}
        </>
      )}
    </Row>
  )
}

function Row(props: { name: string; about: string; children: React.ReactNode }) {
  return (
    <li className="grid gap-2 border-t border-line pt-3 first:border-0 first:pt-0">
      <div className="grid min-w-0 gap-0.5">
        <strong className="[overflow-wrap:anywhere]" translate="no">
          {props.name}
        </strong>
        <span className="text-sm text-soft [overflow-wrap:anywhere]">{props.about}</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">{props.children}</div>
    </li>
  )
}

/** A button that asks before it changes something. */
function Change(props: {
  text: string
  title: string
  about: string
  change: (session: ReturnType<typeof useSoma>['session']) => Promise<void>
}) {
  const { session } = useSoma()
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        look="line"
        tight
        aria-label={props.title.replace('?', '')}
        onClick={() => setAsking(true)}
      >
        {props.text}
      </Button>
      {isAsking && (
        <Confirm
          title={props.title}
          yes={props.text}
          no="Cancel"
          look={props.text.startsWith('Make') ? undefined : 'red'}
          onYes={() => attempt('Not changed', () => props.change(session))}
          onClose={() => setAsking(false)}
        >
          {props.about}
        </Confirm>
      )}
    </>
  )
}
