import { Suspense, useState } from 'react'
import type { DeliveryRow } from '#store/rows.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { lazyPart } from '../../../components/page/lazy-part.tsx'
import { problemTexts } from './scan-texts.ts'

type Props = { row: DeliveryRow; onClose: () => void }

const ScanDialog = lazyPart<Props>(() => import('./scan-dialog.tsx'), NotLoaded)

/** The button that opens the scanner, and the scanner. */
export function ScanPart({ row }: { row: DeliveryRow }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="edge" icon="camera" className="w-full" onClick={() => setOpen(true)}>
        Scan code
      </Button>
      {isOpen && (
        <Suspense>
          <ScanDialog row={row} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function NotLoaded({ onClose, onRetry }: Props & { onRetry: () => void }) {
  const { title, text } = problemTexts['no decoder']
  return (
    <Dialog title={title} onClose={onClose}>
      <p className="text-soft">{text}</p>
      <div className="grid gap-2 sm:grid-cols-2">
        <Button icon="keyboard" onClick={onClose}>
          Type the digits instead
        </Button>
        <Button look="line" icon="retry" onClick={onRetry}>
          Retry
        </Button>
      </div>
    </Dialog>
  )
}
