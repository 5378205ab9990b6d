import { isDirect } from '#domain/deliveries/payment.ts'
import { fullPrice } from '#domain/money.ts'
import { endingTerms } from '#store/queries/config/ending-terms.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { type Shares as Of, owedText, returnShares } from '../../../texts/return-texts.ts'
import { driverOf, upperFirst } from '../../../texts/steps/step.ts'
import { Confirm } from '../../dialogs/confirm.tsx'

/** Asks before a delivery ends as returned and its offer is divided (R105). */
export function ConfirmReturn({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const terms = useLive(endingTerms)
  const confirm = () => commands.confirmReturn(row.ID)
  return (
    <Confirm
      title="Do you have your parcel back?"
      yes="Confirm return"
      no="Not yet"
      isReady={terms !== undefined}
      onYes={() => attempt('Error', confirm, 'Failed to update status')}
      onClose={onClose}
    >
      {terms &&
        (isDirect(row.view) ? (
          owedText(returnShares(row.view, terms), driverOf(row), whole)
        ) : (
          <Shares of={returnShares(row.view, terms)} driver={driverOf(row)} />
        ))}
    </Confirm>
  )
}

/** An amount that is not broken between its sign and its digits. */
const whole = (cedis: number) => fullPrice(cedis).replace(' ', '\u00a0')

/** Who gets what of the offer once the return is confirmed, and why. */
function Shares({ of: { driver: share, sender: rest }, driver }: { of: Of; driver: string }) {
  return (
    <>
      {share > 0 && `${upperFirst(driver)} gets ${whole(share)} for the way. `}
      {rest > 0 && `${whole(rest)} comes back to you when you confirm.`}
    </>
  )
}
