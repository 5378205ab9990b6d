import { copyText } from '../../../browser/device/clipboard.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { CodeField } from '../../../components/forms/code-field.tsx'
import { QrImage } from '../../../components/photo/qr-image.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { codeProblem, smsCode } from '../../auth/field-problems.ts'

/** The secret for an authenticator app, and the field for the code that confirms it (R213). */
export function SetUp(props: {
  secret: string
  link: string
  onDone: (codes: string[]) => void
  onClose: () => void
}) {
  const { session } = useSoma()
  const { values, bind, submit, submitted, failure, busy, form } = useForm(
    { code: '' },
    (typed) => ({ code: codeProblem(typed.code) }),
  )
  const confirm = () =>
    submitted('Not confirmed', async () => {
      const asked = session.secondFactor('confirmSecondFactor', { body: { code: values.code } })
      props.onDone((await blockReload(asked)).codes)
    })
  return (
    <form
      ref={form}
      noValidate
      aria-label="Confirm the second step"
      onSubmit={submit(confirm)}
      className="grid gap-3"
    >
      <p className="text-sm">
        Scan this with an authenticator app, or{' '}
        <a href={props.link} className="font-semibold text-green underline">
          open it on this phone
        </a>
        .
      </p>
      <QrImage text={props.link} alt="QR code for an authenticator app" />
      <p className="text-sm">Or type this secret into the app:</p>
      <p className="rounded-control bg-paper p-3 font-mono [overflow-wrap:anywhere] select-all">
        <Verbatim>{props.secret}</Verbatim>
      </p>
      <Button look="line" icon="copy" onClick={() => copyText(props.secret, 'The secret')}>
        Copy secret
      </Button>
      <CodeField label="Code that the app shows" submits {...bind('code', smsCode)} />
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy}>
          {busy ? 'Checking…' : 'Confirm'}
        </Button>
        <Button look="line" onClick={props.onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
