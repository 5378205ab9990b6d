import { useState } from 'react'
import { attempt } from '../../browser/attempt.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { Confirm } from '../dialogs/confirm.tsx'
import { Button } from '../forms/button.tsx'

/** What is said of something that a restored server has forgotten (S54). */
export const lostTexts = {
  title: 'The server no longer has this',
  text: 'It was sent, and lost when the server was restored from a backup.',
} as const

type Props = { entry: string; title: string; onDiscarded?: () => void }

/** Sends what a restored server has forgotten again, as a new request, or forgets it here too. */
export function LostActions({ entry, title, onDiscarded }: Props) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    await attempt('Error', () => commands.retry(entry))
    setBusy(false)
  }
  const discard = async () => {
    if (await attempt('Error', () => commands.discard(entry))) onDiscarded?.()
  }
  return (
    <>
      <Button disabled={busy} onClick={send}>
        Send again
      </Button>
      <Button look="red" onClick={() => setAsking(true)}>
        Discard
      </Button>
      {asking && (
        <Confirm
          title="Discard this?"
          yes="Discard"
          look="red"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          {`“${title}” is deleted from this phone. Nobody else has it any more.`}
        </Confirm>
      )}
    </>
  )
}
