import { networkFor } from '#domain/mobile-money/networks.ts'
import { nameProblem } from '#domain/users/name.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import type { User } from '#domain/users/user.ts'
import { syncStatus } from '#store/queries/queries.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Button } from '../../../components/forms/button.tsx'
import { PhoneField, TextField } from '../../../components/forms/fields.tsx'
import { NetworkField } from '../../../components/payment/network-field.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { phoneProblem } from '../../auth/field-problems.ts'

/** Asks for another payout number; what is proposed is the driver's own (R175). */
export function PayoutForm({ user, onClose }: { user: User; onClose: () => void }) {
  const { session } = useSoma()
  const offline = useLive(syncStatus)?.reachable === false
  // An empty network is the one that the number's first digits name.
  const start = { phone: user.phone_number, network: '', name: user.name }
  const { values, bind, submit, submitted, failure, busy, form } = useForm(start, (typed) => ({
    phone: phoneProblem(typed.phone),
    network: networkFor(typed) ? undefined : 'Choose the network.',
    name: typed.name.trim() === '' ? 'Name is required.' : nameProblem(typed.name),
  }))
  const network = networkFor(values)
  const save = () =>
    submitted('Code Not Sent', async () => {
      const { phone, name } = values
      if (network) await blockReload(session.changePayout({ phone, network, name }))
      onClose()
    })
  return (
    <form
      ref={form}
      noValidate
      aria-label="Payout number"
      onSubmit={submit(save)}
      className="grid gap-3"
    >
      <PhoneField
        label="Mobile money number"
        autoComplete="tel-national"
        // No `maxLength`: it would cut +233… before `normalizePhone` can read it.
        {...bind('phone', (typed) => normalizePhone(typed).slice(0, 10))}
      />
      <NetworkField phone={values.phone} {...bind('network')} value={network} />
      <TextField
        label="Name on the account"
        autoComplete="name"
        hint="As mobile money shows it when somebody pays you."
        {...bind('name')}
      />
      {failure && (
        <p className="rounded-control bg-red-wash p-3 font-semibold text-red-strong">{failure}</p>
      )}
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy}>
          {busy ? 'Sending…' : 'Send code'}
        </Button>
        <Button look="line" onClick={onClose}>
          Cancel
        </Button>
      </div>
      {/* Below the buttons, which must not move under a finger as the connection comes or goes. */}
      {offline && (
        <p role="status" className="text-sm text-soft">
          You're offline. A payout number needs a connection; what you typed stays here.
        </p>
      )}
    </form>
  )
}
