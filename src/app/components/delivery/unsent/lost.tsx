import { useState } from 'react'
import { attempt } from '../../../browser/attempt.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Button } from '../../forms/button.tsx'
import { DiscardButton } from './discard-button.tsx'

/** Texts for entries that a restored server has lost (S54). */
export const lostTexts = {
  title: 'This was lost on our side',
  text: 'It was sent, and then lost on our side. Please send it again.',
} as const

type Props = { entry: string; title: string; onDiscarded?: () => void }

/** Buttons that send a lost entry again, as a new request, or delete it. */
export function LostActions(props: Props) {
  const { commands } = useSoma()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    await attempt('Error', () => commands.retry(props.entry))
    setBusy(false)
  }
  return (
    <>
      <Button disabled={busy} onClick={send}>
        Send again
      </Button>
      <DiscardButton {...props} />
    </>
  )
}
