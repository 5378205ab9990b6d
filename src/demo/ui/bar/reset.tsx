import { Confirm } from '#app/components/dialogs/confirm.tsx'
import { useDemo } from '../demo-context.ts'

export default function Reset({ onClose }: { onClose: () => void }) {
  const { reset } = useDemo()
  return (
    <Confirm
      title="Begin the demo anew?"
      yes="Reset"
      no="Keep it"
      look="red"
      onYes={reset}
      onClose={onClose}
    >
      Everything you did here is deleted, in all its tabs, and the city is as on its first day. What
      lies outside the demo is not touched.
    </Confirm>
  )
}
