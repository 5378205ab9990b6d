import { Suspense, useState } from 'react'
import type { DeliveryRow } from '#store/rows.ts'
import { Button, type ButtonLook } from '../../forms/button.tsx'
import { lazyPart } from '../../page/lazy-part.tsx'

const RaiseDialog = lazyPart(() => import('./raise-dialog.tsx'))

/** Opens the dialog in which a sender offers more (R169). */
export function RaiseOffer(props: { row: DeliveryRow; look?: ButtonLook; className?: string }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        icon="money"
        look={props.look}
        className={props.className}
        onClick={() => setAsking(true)}
      >
        Raise the offer
      </Button>
      {isAsking && (
        <Suspense>
          <RaiseDialog row={props.row} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  )
}
