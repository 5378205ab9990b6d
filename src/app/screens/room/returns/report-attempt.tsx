import { type FormEvent, useState } from 'react'
import { maxText } from '#domain/deliveries/draft.ts'
import type { AttemptReason } from '#domain/deliveries/endings/incidents.ts'
import { endingTerms } from '#store/queries/config/ending-terms.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { PhotoPicker } from '../../../components/forms/photo-picker.tsx'
import { ReasonChoice } from '../../../components/forms/reasons/reason-choice.tsx'
import { StoredPhoto } from '../../../components/photo/photo.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useLive } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { attemptReasons } from '../../../texts/return-texts.ts'
import { senderOf, upperFirst } from '../../../texts/steps/step.ts'

/** The form in which a driver says that they could not hand the parcel over (R102). */
export function ReportAttempt({ row, onClose }: { row: DeliveryRow; onClose: () => void }) {
  const { commands } = useSoma()
  const terms = useLive(endingTerms)
  const { text, type, clear } = useSessionText(`attempt:${row.ID}`)
  const [reason, setReason] = useState<AttemptReason>()
  const [photo, setPhoto] = useState<string>()
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!reason) return setError('Please choose what happened.')
    setBusy(true)
    const input = { reason, note: text.trim() || undefined, photo, wait: terms?.wait }
    const report = () => commands.reportAttempt(row.ID, input)
    const isSaved = await attempt('Error', report, 'Failed to update status')
    setBusy(false)
    if (!isSaved) return
    clear()
    onClose()
  }
  return (
    <Dialog title="Couldn't deliver?" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <ReasonChoice
          legend="What happened?"
          value={reason}
          choices={attemptReasons}
          error={error}
          onChange={(next) => {
            setError(undefined)
            setReason(next)
          }}
        />
        <TextAreaField
          label="Note (optional)"
          hint={`${upperFirst(senderOf(row))} reads it and sees the photo.`}
          rows={2}
          maxLength={maxText}
          value={text}
          onChange={(event) => type(event.target.value)}
        />
        <PhotoPicker
          label="Photo (optional)"
          preview={
            photo && (
              <StoredPhoto
                id={photo}
                alt="What you saw"
                className="h-36 w-full rounded-control object-cover"
              />
            )
          }
          onPhoto={async ({ bytes, type: kind }) => setPhoto(await commands.savePhoto(bytes, kind))}
        />
        <Button type="submit" disabled={busy || terms === undefined}>
          Report
        </Button>
      </form>
    </Dialog>
  )
}
