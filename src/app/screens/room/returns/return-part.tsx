import { useState } from 'react'
import { isDirect } from '#domain/deliveries/payment.ts'
import { fullPrice } from '#domain/money.ts'
import { endingTerms } from '#store/queries/config/ending-terms.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { ConfirmReturn } from '../../../components/delivery/actions/confirm-return.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { MainAction } from '../../../components/page/main-action.tsx'
import { Facts } from '../../../components/text/facts.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import { returnShares } from '../../../texts/return-texts.ts'
import { driverOf, upperFirst } from '../../../texts/steps/step.ts'

/** A parcel on its way back, for its sender: what each side gets, and the two ways to confirm it (R105). */
export function ReturnPart({ row }: { row: DeliveryRow }) {
  const [asking, setAsking] = useState(false)
  const terms = useLive(endingTerms)
  const { returnCode, codeLocked } = row.view
  const driver = driverOf(row)
  if (!terms) return null
  const shares = returnShares(row.view, terms)
  return (
    <>
      <Facts
        of={[
          [`${upperFirst(driver)} gets`, fullPrice(shares.driver)],
          [isDirect(row.view) ? "You don't pay" : 'You get back', fullPrice(shares.sender)],
        ]}
        isTwoColumns
      />
      <p className="text-sm text-soft">
        {isDirect(row.view) ? (
          shares.driver > 0 && `You pay ${driver} for the way.`
        ) : (
          <>
            {shares.driver > 0 && `${upperFirst(driver)} is paid for the way. `}
            {shares.sender > 0 && 'Your part comes back to you when you confirm.'}
          </>
        )}
      </p>
      {returnCode && !codeLocked && (
        <section
          aria-label="Return code"
          className="grid gap-1.5 rounded-control bg-green-wash p-3.5 text-center"
        >
          <p className="text-sm">Or tell {driver} this code once you have the parcel</p>
          <p
            data-testid="return-code"
            translate="no"
            className="pl-[0.12em] font-mono text-[min(2.25rem,13vw)] leading-none font-extrabold tracking-[0.12em]"
          >
            {returnCode}
          </p>
        </section>
      )}
      <MainAction>
        <Button icon="check" className="min-h-14 w-full text-lg" onClick={() => setAsking(true)}>
          Confirm return
        </Button>
      </MainAction>
      {asking && <ConfirmReturn row={row} onClose={() => setAsking(false)} />}
    </>
  )
}
