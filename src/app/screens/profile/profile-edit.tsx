import { type ReactNode, useState } from 'react'
import { nameProblem } from '#domain/users/name.ts'
import { firstNameOf, lastNameOf } from '#domain/users/user.ts'
import { undoneChanges } from '#store/queries/account/undone-changes.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { PasswordField, TextField } from '../../components/forms/fields.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { toast } from '../../toasts.ts'
import { emailProblem, newPasswordProblem } from '../auth/field-problems.ts'
import { AccountFact } from './account-fact.tsx'

/*
 * Name, e-mail and password, each with a form of its own (R144). They need a connection: a password is not kept on
 * this phone, and a taken e-mail is refused at once.
 */

export const NameEdit = ({ name }: { name: string }) => (
  <Editable label="Name" value={name} isUndone={useLive(undoneChanges)?.name} button="Edit name">
    {(close) => <NameForm name={name} onClose={close} />}
  </Editable>
)

export const EmailEdit = ({ email }: { email: string }) => (
  <Editable
    label="Email"
    value={email}
    isUndone={useLive(undoneChanges)?.email}
    button="Edit email"
  >
    {(close) => <EmailForm email={email} onClose={close} />}
  </Editable>
)

export const PasswordEdit = ({ email }: { email: string }) => (
  <Editable label="Password" value="••••••••" button="Change password">
    {(close) => <PasswordForm email={email} onClose={close} />}
  </Editable>
)

function Editable(props: {
  label: string
  value: string
  /** It is again as it was before the person changed it here. */
  isUndone?: boolean
  button: string
  children: (close: () => void) => ReactNode
}) {
  const [editing, setEditing] = useState(false)
  if (editing) return props.children(() => setEditing(false))
  return (
    <AccountFact label={props.label} button={props.button} onEdit={() => setEditing(true)}>
      <dd translate="no" className="font-semibold [overflow-wrap:anywhere]">
        {props.value}
      </dd>
      {props.isUndone && (
        <dd className="text-sm">
          Your change is gone. If you didn't change it back, it was lost on our side: please make it
          again.
        </dd>
      )}
    </AccountFact>
  )
}

function NameForm({ name, onClose }: { name: string; onClose: () => void }) {
  const [start] = useState({ firstName: firstNameOf(name), lastName: lastNameOf(name) })
  const state = useForm(start, ({ firstName, lastName }) => ({
    firstName: firstName.trim() === '' ? 'First name is required.' : nameProblem(firstName),
    lastName: nameProblem(`${firstName} ${lastName}`),
  }))
  const { firstName, lastName } = state.values
  // What was not touched here may have changed in another tab.
  const change = {
    firstName: firstName === start.firstName ? undefined : firstName,
    lastName: lastName === start.lastName ? undefined : lastName,
  }
  const isChanged = change.firstName !== undefined || change.lastName !== undefined
  const save = useSave(state, { title: 'Name Updated' }, onClose)
  return (
    <EditForm
      label="Name"
      state={state}
      onSave={async () => (isChanged ? save(change) : onClose())}
      onClose={onClose}
    >
      <TextField label="First name" autoComplete="given-name" {...state.bind('firstName')} />
      <TextField label="Last name" autoComplete="family-name" {...state.bind('lastName')} />
    </EditForm>
  )
}

function EmailForm({ email, onClose }: { email: string; onClose: () => void }) {
  const [start] = useState(email)
  const state = useForm({ email }, (typed) => ({ email: emailProblem(typed.email) }))
  const typed = state.values.email.trim()
  const done = { title: 'Email Updated', text: 'Log in with it from now on.' }
  const save = useSave(state, done, onClose)
  return (
    <EditForm
      label="Email"
      state={state}
      onSave={async () => (typed === start ? onClose() : save({ email: typed }))}
      onClose={onClose}
    >
      <TextField label="Email" type="email" autoComplete="email" {...state.bind('email')} />
    </EditForm>
  )
}

function PasswordForm({ email, onClose }: { email: string; onClose: () => void }) {
  const state = useForm({ old: '', new: '' }, (typed) => ({
    old: typed.old === '' ? 'Password is required.' : undefined,
    new: newPasswordProblem(typed.new),
  }))
  const done = { title: 'Password Updated', text: 'Your other devices were signed out.' }
  const save = useSave(state, done, onClose)
  return (
    <EditForm
      label="Password"
      state={state}
      onSave={() => save({ password: state.values })}
      onClose={onClose}
    >
      {/* By which a password manager knows whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        {...state.bind('old')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint="At least 8 characters. Your other devices are signed out."
        {...state.bind('new')}
      />
    </EditForm>
  )
}

type FormState = Pick<ReturnType<typeof useForm>, 'form' | 'submit' | 'failure' | 'busy'>

/** Saves a change, and closes the form once that has succeeded. */
function useSave(
  { submitted }: Pick<ReturnType<typeof useForm>, 'submitted'>,
  done: { title: string; text?: string },
  onClose: () => void,
) {
  const { session } = useSoma()
  return (change: Parameters<typeof session.changeProfile>[0]) =>
    submitted('Not saved', async () => {
      await blockReload(session.changeProfile(change))
      onClose()
      toast(done)
    })
}

function EditForm(props: {
  label: string
  state: FormState
  onSave: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}) {
  const { form, submit, failure, busy } = props.state
  const offline = useLive(syncStatus)?.reachable === false
  return (
    <form
      ref={form}
      noValidate
      aria-label={props.label}
      onSubmit={submit(props.onSave)}
      className="grid gap-3"
    >
      {props.children}
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy}>
          {busy ? 'Saving…' : 'Save'}
        </Button>
        <Button look="line" onClick={props.onClose}>
          Cancel
        </Button>
      </div>
      {/* Below the buttons, which must not move under a finger as the connection comes or goes. */}
      {offline && (
        <p role="status" className="text-sm text-soft">
          You're offline. Saving needs a connection; what you typed stays here.
        </p>
      )}
    </form>
  )
}
