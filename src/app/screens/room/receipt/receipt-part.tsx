import { Suspense } from 'react'
import type { DeliveryRow } from '#store/rows.ts'
import { Button } from '../../../components/forms/button.tsx'
import { lazyPart } from '../../../components/page/lazy-part.tsx'
import { receiptOf } from './receipt-texts.ts'

const Receipt = lazyPart(() => import('./receipt.tsx'))

type Props = {
  row: DeliveryRow
  as: 'sender' | 'driver' | undefined
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

/** Opens the receipt of a delivery that has ended, for its two sides (R185). */
export function ReceiptPart({ row, as, isOpen, onOpen }: Props) {
  const ended = receiptOf(row)
  if (!ended || !as) return null
  return (
    <>
      <Button look="line" icon="list" onClick={() => onOpen(true)}>
        Receipt
      </Button>
      {isOpen && (
        <Suspense>
          <Receipt of={ended} as={as} onClose={() => onOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
