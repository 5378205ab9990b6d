import type { SendDraft } from '#domain/deliveries/draft.ts'
import { Confirm } from '../../dialogs/confirm.tsx'

/** Asks before another request takes the place of one that was typed and not submitted. */
export function ReplaceDraft(props: {
  typed: SendDraft
  onYes: () => unknown
  onClose: () => void
}) {
  return (
    <Confirm
      title="Replace your unsent draft?"
      yes="Replace"
      look="red"
      onYes={props.onYes}
      onClose={props.onClose}
    >
      {`${nameOf(props.typed)} was not submitted. This request takes its place.`}
    </Confirm>
  )
}

const nameOf = ({ itemDescription }: SendDraft) =>
  itemDescription.trim() === '' ? 'What you began to type' : `“${itemDescription.trim()}”`
