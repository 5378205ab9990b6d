import { useState } from 'react'
import { isDirect, type PaidBy, priceText, tipHint, totalOf } from '#domain/deliveries/payment.ts'
import { fullPrice, shortPrice } from '#domain/money.ts'
import { unsentReports } from '#store/queries/reports.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { readShare } from '../../../texts/decision-texts.ts'
import { driverOf } from '../../../texts/steps/step.ts'
import { Confirm } from '../../dialogs/confirm.tsx'
import { TextField } from '../../forms/fields.tsx'
import { ReasonChoice } from '../../forms/reasons/reason-choice.tsx'
import { StarField } from '../../person/stars.tsx'
import { PayDriver } from './pay-driver.tsx'

type Props = { row: DeliveryRow; onApproved?: () => unknown; onClose: () => void }

/**
 * Asks before the driver is paid (R26), with a tip if the sender likes (R126), and how, where the sender pays them (R171).
 * A guest is asked for a rating too, because their record goes with the payment (R58).
 */
export function ConfirmApprove({ row, onApproved, onClose }: Props) {
  const { commands } = useSoma()
  const { account, ID, view } = row
  const reports = useLive(unsentReports, account, ID)
  const [typed, setTyped] = useState('')
  const [paidBy, setPaidBy] = useState<PaidBy>()
  const [stars, setStars] = useState<number>()
  if (!reports) return null
  const approve = (tip?: number) => async () => {
    const work = () => commands.approveDelivery(ID, { tip, paidBy, stars })
    if (await attempt('Error', work, 'Failed to update status')) onApproved?.()
  }
  // A report that is not sent yet stands in the way of the payment (R108).
  if (reports.length > 0)
    return (
      <Confirm
        title="Pay despite your report?"
        yes="Confirm and pay"
        onYes={approve()}
        onClose={onClose}
      >
        You reported a problem that has not been sent yet. It is sent first, and support then
        decides about {fullPrice(view.offer)}. To pay now, cancel the report in the Outbox.
      </Confirm>
    )
  const tip = readTip(typed, view.offer)
  const isOwn = isDirect(view)
  const total = totalOf({ ...view, tip })
  return (
    <Confirm
      title={isOwn ? `Pay ${driverOf(row)} ${shortPrice(total)}` : `Pay ${driverOf(row)}?`}
      yes={isOwn ? "I've paid" : 'Confirm and pay'}
      isReady={tip !== undefined && (!isOwn || paidBy !== undefined)}
      onYes={approve(tip || undefined)}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p aria-live="polite" className={isOwn && !tip ? 'sr-only' : ''}>
          {priceText({ ...view, tip }, fullPrice)} {tip ? 'go' : 'goes'} to {driverOf(row)}.
        </p>
        {!isOwn && !!tip && (
          <p aria-live="polite">
            A prompt for {shortPrice(tip)} comes to the phone that paid. The tip counts once you
            approve it.
          </p>
        )}
        <ReasonChoice
          legend="Add a tip"
          value={typed}
          choices={[['', 'No tip'], ...tipsFor(view.offer)]}
          onChange={setTyped}
        />
        <TextField
          label="Another amount in cedis"
          inputMode="decimal"
          autoComplete="off"
          placeholder="0.00"
          value={typed}
          error={tip === undefined ? tipHint(view) : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        {isOwn && (
          <PayDriver driver={view.driver} cedis={total} paidBy={paidBy} onChange={setPaidBy} />
        )}
        {account === guestAccount && (
          <StarField
            legend={`Rate ${driverOf(row)} (optional)`}
            value={stars}
            onChange={setStars}
          />
        )}
      </div>
    </Confirm>
  )
}

/** The tip in cedis; `undefined` if invalid (R126). A separator at the end is allowed while the person types. */
const readTip = (typed: string, offer: number): number | undefined =>
  typed.trim() === '' ? 0 : readShare(typed.replace(/[.,]$/, ''), offer)

/** Ghana's coins and notes, in cedis. */
const cash = [1, 2, 5, 10, 20, 50, 100, 200]

/** Three amounts that people have in their hands, up to about a fifth of the offer. */
function tipsFor(offer: number): [string, string][] {
  const most = cash.findLastIndex((amount) => amount <= offer / 5)
  return cash
    .slice(Math.max(most - 2, 0))
    .slice(0, 3)
    .filter((amount) => amount <= offer)
    .map((amount) => [String(amount), shortPrice(amount)])
}
