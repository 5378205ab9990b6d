import { useState } from 'react'
import { times } from '#domain/product.ts'
import { preloadScanner } from '#scan/preload-scanner.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Button } from '../../forms/button.tsx'

type Props = { id: string; className?: string; onAccepted?: () => unknown }

/** Accepts a job, which can be undone for ten seconds before it is requested (R99). */
export function AcceptJob({ id, className, onAccepted }: Props) {
  const { commands } = useSoma()
  const [busy, setBusy] = useState(false)
  const accept = async () => {
    setBusy(true)
    const isDone = await attempt('Cannot Accept', () =>
      commands.acceptDelivery(id, { holdFor: times.undo }),
    )
    setBusy(false)
    if (!isDone) return
    preloadScanner()
    onAccepted?.()
  }
  return (
    <Button disabled={busy} className={className} onClick={accept}>
      {busy ? 'Accepting…' : 'Accept Job'}
    </Button>
  )
}
