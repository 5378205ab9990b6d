import { useState } from 'react'
import { preloadScanner } from '#scan/preload-scanner.ts'
import { attempt } from '../../../browser/attempt.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Button } from '../../forms/button.tsx'

type Props = { id: string; tight?: boolean; className?: string; onAccepted?: () => unknown }

/** Accepts a job, which leaves at once: another driver may be a second behind, and it can be given back (R99). */
export function AcceptJob({ id, tight, className, onAccepted }: Props) {
  const { commands } = useSoma()
  const [busy, setBusy] = useState(false)
  const accept = async () => {
    setBusy(true)
    const isDone = await attempt('Cannot Accept', () => commands.acceptDelivery(id))
    setBusy(false)
    if (!isDone) return
    preloadScanner()
    onAccepted?.()
  }
  return (
    <Button disabled={busy} tight={tight} className={className} onClick={accept}>
      {busy ? 'Accepting…' : 'Accept Job'}
    </Button>
  )
}
