import { useState } from 'react'
import { attempt } from '../../../browser/attempt.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { Confirm } from '../../dialogs/confirm.tsx'
import { Button } from '../../forms/button.tsx'

type Props = { entry: string; title: string; onDiscarded?: () => void }

/** Deletes something that was refused or lost from this phone, after a question. */
export function DiscardButton({ entry, title, onDiscarded }: Props) {
  const { commands } = useSoma()
  const [asking, setAsking] = useState(false)
  const discard = async () => {
    if (await attempt('Error', () => commands.discard(entry))) onDiscarded?.()
  }
  return (
    <>
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
          {`“${title}” is deleted from this phone, with what depends on it.`}
        </Confirm>
      )}
    </>
  )
}
