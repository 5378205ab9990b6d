import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { hasContent } from '#domain/deliveries/draft.ts'
import type { OperationName } from '#operations/index.ts'
import { draft } from '#store/queries/queries.ts'
import { attempt } from '../../../browser/attempt.ts'
import { draftBackup } from '../../../browser/draft-backup.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { Button, type ButtonLook } from '../../forms/button.tsx'
import { ReplaceDraft } from './replace-draft.tsx'

/** A button that puts a request back into the send form. It asks first where a draft would be replaced. */
export function EditAndResend(props: { entry: string; op: OperationName; look?: ButtonLook }) {
  const { commands } = useSoma()
  const { user } = useVisitor()
  const navigate = useNavigate()
  const typed = useOwn(draft)
  const [asking, setAsking] = useState(false)
  const edit = () =>
    attempt('Error', async () => {
      await commands.editAndResend(props.entry)
      draftBackup(user?.ID).remove()
      navigate(`${paths.send}?as=${props.op === 'createGuestDelivery' ? 'guest' : 'account'}`)
    })
  return (
    <>
      <Button
        look={props.look}
        onClick={() => (typed && hasContent(typed) ? setAsking(true) : edit())}
      >
        Edit &amp; resend
      </Button>
      {asking && typed && (
        <ReplaceDraft typed={typed} onYes={edit} onClose={() => setAsking(false)} />
      )}
    </>
  )
}
