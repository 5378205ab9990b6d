import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { hasContent } from '#domain/deliveries/draft.ts'
import { draft } from '#store/queries/queries.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { guestAccount } from '#sync/database/engine-db.ts'
import { attempt } from '../../../browser/attempt.ts'
import { draftBackup } from '../../../browser/draft-backup.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { useVisitor } from '../../../hooks/use-visitor.ts'
import { paths } from '../../../paths.ts'
import { Button, IconButton } from '../../forms/button.tsx'
import { ReplaceDraft } from './replace-draft.tsx'

/** Whether a delivery can be requested once more: it is over, and this person sent it. */
export const canSendAgain = ({ view, sentAt }: DeliveryRow): boolean =>
  sentAt !== undefined && (view.status === 'Approved' || view.status === 'Cancelled')

/** Fills the request form from a delivery that is over, and opens its last step. */
export function SendAgain({ row, isSmall, className }: Props) {
  const { commands } = useSoma()
  const { user } = useVisitor()
  const navigate = useNavigate()
  const typed = useOwn(draft)
  const [asking, setAsking] = useState(false)
  const send = () =>
    attempt('Error', async () => {
      const hasPhoto = await commands.sendAgain(row.ID)
      draftBackup(user?.ID).remove()
      const as = row.account === guestAccount ? 'guest' : 'account'
      navigate(`${paths.send}?as=${as}&step=${hasPhoto ? 3 : 1}`)
    })
  const press = () => (typed && hasContent(typed) ? setAsking(true) : void send())
  return (
    <>
      {isSmall ? (
        <IconButton
          icon="retry"
          label={`Send ${row.view.itemDescription} again`}
          className={className}
          onClick={press}
        />
      ) : (
        <Button icon="retry" className={className} onClick={press}>
          Send again
        </Button>
      )}
      {asking && typed && (
        <ReplaceDraft typed={typed} onYes={send} onClose={() => setAsking(false)} />
      )}
    </>
  )
}

type Props = { row: DeliveryRow; isSmall?: boolean; className?: string }
