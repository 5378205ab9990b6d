import { useState } from 'react'
import { offerProblem } from '#domain/deliveries/draft.ts'
import { isDirect } from '#domain/deliveries/payment.ts'
import { isAmount, parseAmount, shortPrice, toCedis, toPesewas } from '#domain/money.ts'
import { wayGuide, wayGuideRef } from '#store/queries/way-guide.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useFirst } from '../../../hooks/use-first.ts'
import { useOwn, useWatch } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { usualPrice } from '../../../texts/way/usual-price.ts'
import { Confirm } from '../../dialogs/confirm.tsx'
import { TextField } from '../../forms/fields.tsx'
import { ReasonChoice } from '../../forms/reasons/reason-choice.tsx'

/** Asks how much more the sender offers (R169). */
export default function RaiseDialog({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const { offer, pickupZone, dropoffZone } = row.view
  const route = { from: pickupZone, to: dropoffZone }
  useWatch(wayGuideRef(route))
  // What comes later moves no button.
  const guide = useFirst(useOwn(wayGuide, route))?.guide
  const choices = raises(offer)
  const [typed, setTyped] = useState(choices[0]?.[0] ?? '')
  const raised = parseAmount(typed)
  const problem =
    offerProblem(typed, 0) ??
    (raised !== undefined && raised > offer ? undefined : `Enter more than ${shortPrice(offer)}`)
  const raise = () => commands.raiseOffer(row.ID, raised ?? Number.NaN)
  return (
    <Confirm
      title="Raise the offer"
      yes={problem === undefined ? `Offer ${shortPrice(raised ?? 0)}` : 'Raise the offer'}
      isReady={problem === undefined}
      onYes={() => attempt('Error', raise, 'Failed to raise the offer')}
      onClose={onClose}
    >
      <div className="grid gap-4">
        <p>
          Drivers see it at {shortPrice(offer)} now. You can raise the offer until a driver accepts,
          and never lower it.{guide && ` ${usualPrice(guide)} on this route.`}
        </p>
        {!isDirect(row.view) && (
          <p>
            A prompt for {problem ? 'the rest' : shortPrice(restOf(offer, raised))} comes to the
            phone that paid. Drivers see the new offer once you approve it.
          </p>
        )}
        <ReasonChoice legend="Add" value={typed} choices={choices} onChange={setTyped} />
        <TextField
          label="New offer in cedis"
          inputMode="decimal"
          autoComplete="off"
          value={typed}
          error={typed.trim() === '' ? undefined : problem}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
    </Confirm>
  )
}

/** What a higher offer adds, in cedis. */
const restOf = (offer: number, raised = offer) => toCedis(toPesewas(raised) - toPesewas(offer))

/** Five and ten cedis more, as the new offer and its label. */
const raises = (offer: number): [string, string][] =>
  [5, 10]
    .map((more): [number, number] => [toCedis(toPesewas(offer) + toPesewas(more)), more])
    .filter(([raised]) => isAmount(raised))
    .map(([raised, more]) => [String(raised), `+${shortPrice(more)}`])
