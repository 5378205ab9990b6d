import { useState } from 'react'
import type { OfficeRole } from '#domain/users/user.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Choice } from '../../../components/forms/choice.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { emailProblem } from '../../auth/field-problems.ts'

const about: Record<OfficeRole, string> = {
  support: 'Reads everything and helps callers. No money, no decisions, no settings.',
  admin: 'Everything, also money, settings and colleagues.',
}

/** Invites a colleague; the link is shown once, to be copied (R209). */
export function Invite() {
  const { session } = useSoma()
  const [role, setRole] = useState<OfficeRole>('support')
  const [made, setMade] = useState<{ email: string; link: string }>()
  const isOffline = useLive(syncStatus)?.reachable === false
  const { values, set, bind, submit, submitted, failure, busy, form } = useForm(
    { email: '' },
    (typed) => ({ email: emailProblem(typed.email) }),
  )
  const email = values.email.trim()
  const invite = () =>
    submitted('Not invited', async () => {
      const link = await blockReload(session.inviteColleague({ email, role }))
      setMade({ email, link })
    })
  const again = () => {
    setMade(undefined)
    set('email', '')
  }
  if (made) return <Made {...made} onClose={again} />
  return (
    <form
      ref={form}
      noValidate
      aria-label="Invite a colleague"
      onSubmit={submit(invite)}
      className="card grid gap-4"
    >
      <h2>Invite a colleague</h2>
      <TextField label="Their email" type="email" autoComplete="off" {...bind('email')} />
      <div className="grid gap-1.5">
        <Choice
          legend="Role"
          name="role"
          value={role}
          choices={[
            ['support', 'Support'],
            ['admin', 'Admin'],
          ]}
          onChange={setRole}
        />
        <p className="text-sm text-soft">{about[role]}</p>
      </div>
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      {isOffline && <p className="text-sm text-soft">Needs a connection.</p>}
      <Button type="submit" icon="plus" disabled={busy}>
        {busy ? 'Making the link…' : 'Make an invitation link'}
      </Button>
    </form>
  )
}

function Made({ email, link, onClose }: { email: string; link: string; onClose: () => void }) {
  return (
    <Notice tone="green" title={`Send this link to ${email}`}>
      <p className="text-sm">
        It is shown once, works once and ends after three days. Whoever opens it first gets the
        account.
      </p>
      <p className="rounded-control bg-card p-3 text-sm [overflow-wrap:anywhere] select-all">
        <Verbatim>{link}</Verbatim>
      </p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button icon="copy" onClick={() => copyText(link, 'The invitation link')}>
          Copy
        </Button>
        <Button look="line" onClick={onClose}>
          Done
        </Button>
      </div>
    </Notice>
  )
}
