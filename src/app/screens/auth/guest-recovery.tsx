import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { normalizePhone } from '#domain/users/phone.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { attempt } from '../../browser/attempt.ts'
import { blockReload } from '../../browser/update/reload-guard.ts'
import { Button } from '../../components/forms/button.tsx'
import { CodeField } from '../../components/forms/code-field.tsx'
import { PhoneField } from '../../components/forms/fields.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useForm } from '../../hooks/forms/use-form.ts'
import { useLive } from '../../hooks/use-live.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { guestErasurePath, guestRecoveryPath, paths, roomPath } from '../../paths.ts'
import { toast } from '../../toasts.ts'
import { AuthForm, AuthLink, BackToLogin } from './auth-form.tsx'
import { codeProblem, phoneProblem, smsCode } from './field-problems.ts'
import { useCodeTries } from './use-code-tries.ts'

/**
 * Step 1 of 2: asks for a code by SMS. The response is the same whether or not the number has deliveries
 * (R56, R109).
 */
export function FindGuestDeliveries({ phone, erases }: { phone: string; erases: boolean }) {
  const { session, prefetch } = useSoma()
  useEffect(prefetch, [prefetch])
  const navigate = useNavigate()
  const { values, bind, submit, submitted, failure, busy, form } = useForm({ phone }, (typed) => ({
    phone: phoneProblem(typed.phone),
  }))
  const ask = () =>
    submitted('Request Failed', async () => {
      const number = normalizePhone(values.phone)
      await blockReload(session.recoverGuest(number, erases))
      toastCode()
      navigate(`${paths.auth}?step=${erases ? 'erase-code' : 'guest-code'}&phone=${number}`)
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(ask)}
      isBusy={busy}
      failure={failure}
      submitText="Send Code"
      busyText="Sending…"
      footer={
        <>
          <Offline />
          {!erases && <AuthLink to={guestErasurePath}>Delete what you sent as a guest</AuthLink>}
          <BackToLogin />
        </>
      }
    >
      {erases && <WhatIsErased />}
      <PhoneField
        label="Your phone number"
        hint="The one you gave when you sent as a guest. We send a code to it by SMS."
        inputMode="tel"
        autoComplete="tel-national"
        {...bind('phone')}
      />
    </AuthForm>
  )
}

/** Step 2 of 2: the code brings the deliveries to this phone, or deletes them (R216). */
export function ConfirmGuest({ phone, erases }: { phone: string; erases: boolean }) {
  const { session } = useSoma()
  const navigate = useNavigate()
  const start = { phone, code: '' }
  const { values, bind, submit, submitted, failure, busy, form } = useForm(start, (typed) => ({
    phone: phoneProblem(typed.phone),
    code: codeProblem(typed.code),
  }))
  const number = normalizePhone(values.phone)
  const { counted, renew, failureOf } = useCodeTries()
  const confirm = async () => {
    const found = await blockReload(session.confirmGuestRecovery(number, values.code))
    void navigate(pathTo(found), { replace: true })
    toast(found.length > 0 ? foundToast(found.length) : nothingToast)
  }
  const erase = async () => {
    await blockReload(session.eraseGuest(number, values.code))
    void navigate(paths.home, { replace: true })
    toast(erasedToast)
  }
  const resend = () =>
    attempt('Resend Failed', async () => {
      await blockReload(session.recoverGuest(number, erases))
      renew()
      toastCode()
    })
  return (
    <AuthForm
      formRef={form}
      onSubmit={submit(() =>
        submitted(erases ? 'Not deleted' : 'Verification Failed', () =>
          counted(erases ? erase : confirm),
        ),
      )}
      isBusy={busy}
      failure={failureOf(failure)}
      submitText={erases ? 'Delete my deliveries' : 'Get Deliveries'}
      busyText={erases ? 'Deleting…' : 'Checking…'}
      look={erases ? 'red' : undefined}
      footer={
        <>
          <Offline />
          <Button look="line" onClick={resend}>
            Resend code
          </Button>
          <AuthLink to={erases ? guestErasurePath : guestRecoveryPath}>Use another number</AuthLink>
        </>
      }
    >
      <p className="text-soft">
        Enter the 6-digit code sent to {phone ? <Verbatim>{phone}</Verbatim> : 'your phone'}.
        {erases && " Deleting can't be undone."}
      </p>
      {phone === '' && <PhoneField label="Your phone number" {...bind('phone', normalizePhone)} />}
      <CodeField
        label="Code"
        autoFocus
        // What can't be undone is never sent by itself.
        submits={phone !== '' && !erases}
        {...bind('code', smsCode)}
      />
    </AuthForm>
  )
}

const WhatIsErased = () => (
  <p>
    Your name, number, places, notes and photos are removed from every delivery you sent as a guest.
    What you and your driver wrote to each other, ratings and payments stay, as those of a deleted
    user. A delivery under way has to end first. This can't be undone.
  </p>
)

/** Below the submit button, which must not move under a finger as the connection comes or goes. */
function Offline() {
  if (useLive(syncStatus)?.reachable !== false) return null
  return (
    <Notice title="You're offline">
      <p className="text-sm">
        A code needs a connection. Your deliveries are safe, and you can get them back later.
      </p>
    </Notice>
  )
}

const toastCode = () =>
  toast({ title: 'Code Sent', text: 'If this number has deliveries, a code is on its way.' })

const foundToast = (count: number) =>
  count === 1
    ? { title: 'Delivery found', text: 'You can follow it on this phone again.' }
    : { title: `${count} deliveries found`, text: 'You can follow them on this phone again.' }

const erasedToast = {
  title: 'Deliveries deleted',
  text: 'What is left of them names a deleted user.',
}

const nothingToast = { title: 'No deliveries', text: 'Nothing is under way for this number.' }

const pathTo = ([first, second]: readonly string[]): string => {
  if (first === undefined) return paths.home
  return second === undefined ? roomPath(first) : paths.deliveries
}
