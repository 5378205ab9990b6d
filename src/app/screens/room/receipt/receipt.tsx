import { useEffect } from 'react'
import type { Delivery } from '#domain/deliveries/delivery.ts'
import { product } from '#domain/product.ts'
import { note } from '#sync/database/device/diagnostics.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { receiptLines, receiptText } from './receipt-texts.ts'

type Props = { of: Delivery; as: 'sender' | 'driver'; onClose: () => void }

/** A delivery's receipt (R185), to read, share as text and print. */
export default function Receipt({ of: view, as, onClose }: Props) {
  useAlonePrinted()
  const text = receiptText(view, as)
  return (
    <Dialog title={`${product} receipt`} onClose={onClose}>
      <dl className="grid gap-2">
        {receiptLines(view, as).map(([name, value]) => (
          <div
            key={name}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line pb-2 last:border-0"
          >
            <dt className="text-soft">{name}</dt>
            <dd className="font-semibold [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2 *:flex-1">
        {typeof navigator.share === 'function' && (
          <Button
            look="line"
            tight
            icon="share"
            // Rejects when the person closes the share sheet, too.
            onClick={() =>
              navigator
                .share({ text })
                .catch((error: unknown) => note('The receipt was not shared', { error }))
            }
          >
            Share
          </Button>
        )}
        <Button look="line" tight icon="copy" onClick={() => copyText(text, 'The receipt')}>
          Copy
        </Button>
        <Button look="line" tight onClick={() => print()}>
          Print
        </Button>
      </div>
    </Dialog>
  )
}

/** While it is open the page is printed as the receipt alone (styles.css). */
function useAlonePrinted(): void {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.prints = 'dialog'
    return () => {
      delete dataset.prints
    }
  }, [])
}
