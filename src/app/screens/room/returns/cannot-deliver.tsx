import { useState } from 'react'
import type { Actor } from '#domain/deliveries/delivery.ts'
import { can } from '#operations/rules.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { Button } from '../../../components/forms/button.tsx'
import { ReportAttempt } from './report-attempt.tsx'
import { WaitCard } from './wait-card.tsx'

/** What a driver does who cannot hand the parcel over (R102 to R104); `can` decides on each. */
export function CannotDeliver({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const [reporting, setReporting] = useState(false)
  if (!can(who, 'reportAttempt', row.view)) return null
  const report = () => setReporting(true)
  return (
    <>
      {can(who, 'startReturn', row.view) ? (
        <WaitCard row={row} onReport={report} />
      ) : (
        <Button look="line" onClick={report}>
          I can't deliver
        </Button>
      )}
      {reporting && <ReportAttempt row={row} onClose={() => setReporting(false)} />}
    </>
  )
}
