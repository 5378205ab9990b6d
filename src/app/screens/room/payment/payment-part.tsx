import { useState } from 'react'
import { isSenderOf } from '#domain/deliveries/delivery.ts'
import type { TypedPayer } from '#domain/deliveries/draft.ts'
import { isUnpaid } from '#domain/deliveries/payment.ts'
import { networkFor } from '#domain/mobile-money/networks.ts'
import type { Network } from '#domain/users/payout-number.ts'
import { phoneProblem } from '#domain/users/phone.ts'
import { syncStatus } from '#store/queries/queries.ts'
import type { Room } from '#store/queries/room.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { blockReload } from '../../../browser/update/reload-guard.ts'
import { Confirm } from '../../../components/dialogs/confirm.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { MainAction } from '../../../components/page/main-action.tsx'
import { PayerFields } from '../../../components/payment/payer-fields.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { toast } from '../../../toasts.ts'

type Props = Pick<Room, 'row' | 'who'>

/** What a sender can do about a payment that the provider waits for, or that failed (R173, R176). */
export function PaymentPart({ row, who }: Props) {
  const { payment } = row.view
  const isOwn = who !== undefined && isSenderOf(row.view, who)
  if (!isOwn || !payment || !row.known || row.view.status !== 'Pending') return null
  if (payment.otp) return <Voucher row={row} />
  return isUnpaid(row.view) ? <TryAgain row={row} /> : null
}

const needsConnection = (
  <p className="text-sm text-soft">You're offline. The payment needs a connection.</p>
)

const useOffline = () => useLive(syncStatus)?.reachable === false

/** Another prompt, to the same number or to another. */
function TryAgain({ row }: { row: DeliveryRow }) {
  const { session } = useSoma()
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const send = async (payer?: Payer) => {
    setBusy(true)
    await attempt('Payment Failed', async () => {
      await blockReload(session.payDelivery(row.ID, payer && { payer }))
      toast({ title: 'Prompt sent', text: 'Approve it on the phone that pays.' })
    })
    setBusy(false)
  }
  return (
    <>
      {offline && needsConnection}
      <MainAction>
        <div className="flex flex-wrap gap-2 *:flex-1">
          <Button
            // While a prompt waits, the next step is on the phone that pays.
            look={row.view.payment?.status === 'waiting' ? 'line' : 'green'}
            className="min-h-14"
            disabled={busy || offline}
            onClick={() => send()}
          >
            {busy ? 'Sending…' : 'Try again'}
          </Button>
          <Button
            look="line"
            className="min-h-14"
            disabled={busy || offline}
            onClick={() => setAsking(true)}
          >
            Another number
          </Button>
        </div>
      </MainAction>
      {asking && <AnotherNumber row={row} onPay={send} onClose={() => setAsking(false)} />}
    </>
  )
}

type Payer = { phone: string; network: Network }
type Asking = { row: DeliveryRow; onPay: (payer: Payer) => unknown; onClose: () => void }

function AnotherNumber({ row, onPay, onClose }: Asking) {
  const [payer, setPayer] = useState<TypedPayer>({ phone: '', network: '' })
  const network = networkFor(payer)
  const isReady = phoneProblem(payer.phone) === undefined && network !== undefined
  const { recipientPhone = '' } = row.view
  return (
    <Confirm
      title="Pay from another number"
      yes="Send the prompt"
      isReady={isReady}
      onYes={() => network && onPay({ phone: payer.phone, network })}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <PayerFields
          payer={payer}
          errorOf={() => undefined}
          onChange={(part) => setPayer({ ...payer, ...part })}
        />
        {recipientPhone !== payer.phone && (
          <Button look="edge" onClick={() => setPayer({ phone: recipientPhone, network: '' })}>
            The recipient pays
          </Button>
        )}
      </div>
    </Confirm>
  )
}

/** Telecel Cash asks for a voucher that its customer makes on the phone. */
function Voucher({ row }: { row: DeliveryRow }) {
  const { session } = useSoma()
  const offline = useOffline()
  const [otp, setOtp] = useState('')
  const [busy, setBusy] = useState(false)
  const hand = async () => {
    setBusy(true)
    await attempt('Payment Failed', async () => {
      await blockReload(session.payDelivery(row.ID, { otp }))
      setOtp('')
      toast({ title: 'Voucher sent', text: 'We say here when it is paid.' })
    })
    setBusy(false)
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void hand()
      }}
    >
      <TextField
        label="Voucher code"
        inputMode="numeric"
        autoComplete="one-time-code"
        hint="On Telecel: dial *110#, choose Make payment, then Generate voucher."
        value={otp}
        onChange={({ target }) => setOtp(target.value.replace(/\D/g, '').slice(0, 10))}
      />
      {offline && needsConnection}
      <Button type="submit" disabled={busy || offline || otp.length < 4}>
        {busy ? 'Sending…' : 'Send voucher'}
      </Button>
    </form>
  )
}
