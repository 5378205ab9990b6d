import { useState } from 'react'
import type { SendDraft } from '#domain/deliveries/draft.ts'
import { attempt } from '../../browser/attempt.ts'
import { draftBackup } from '../../browser/draft-backup.ts'
import { Confirm } from '../../components/dialogs/confirm.tsx'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { Tag } from '../../components/text/tag.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { paths } from '../../paths.ts'

/** The draft of a request. */
export function DraftCard({ draft }: { draft: SendDraft }) {
  const { commands } = useSoma()
  const { user } = useVisitor()
  const [asking, setAsking] = useState(false)
  const item = draft.itemDescription.trim()
  const title = item === '' ? 'Request' : `Request: ${item}`
  const discard = () =>
    attempt('Error', async () => {
      await commands.clearDraft()
      draftBackup(user?.ID).remove()
    })
  return (
    <article aria-label={`Draft of ${title}`} className="card grid gap-2">
      <span className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <strong className="[overflow-wrap:anywhere]">{title}</strong>
        <Tag tone="plain">Draft</Tag>
      </span>
      <p className="text-sm text-soft">Not submitted</p>
      <div className="flex flex-wrap gap-2 pt-1">
        <ButtonLink look="line" to={`${paths.send}?as=${user ? 'account' : 'guest'}`}>
          Continue
        </ButtonLink>
        <Button look="red" onClick={() => setAsking(true)}>
          Discard
        </Button>
      </div>
      {asking && (
        <Confirm
          title="Discard this draft?"
          yes="Discard"
          look="red"
          onYes={discard}
          onClose={() => setAsking(false)}
        >
          What you typed is deleted from this phone.
        </Confirm>
      )}
    </article>
  )
}
