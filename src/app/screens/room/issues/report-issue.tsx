import { type FormEvent, useState } from 'react'
import { maxText } from '#domain/deliveries/draft.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { HelpLine } from '../../../components/page/help.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { toast } from '../../../toasts.ts'

/** The form that reports a dispute (R32). */
export default function ReportIssue({ id, onClose }: { id: string; onClose: () => void }) {
  const { commands } = useSoma()
  const { text, type, clear: handedIn } = useSessionText(`report:${id}`)
  const [error, setError] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return setError('Please describe the issue.')
    const saved = await attempt('Error', () => commands.reportIssue(id, text))
    if (!saved) return
    handedIn()
    toast({
      title: 'Report saved',
      text: "It sends when you're online.",
      plain: true,
    })
    onClose()
  }
  return (
    <Dialog title="Report an issue" onClose={onClose}>
      <form noValidate onSubmit={submit} className="grid gap-4">
        <TextAreaField
          label="What happened?"
          maxLength={maxText}
          value={text}
          error={error}
          onChange={(event) => {
            setError(undefined)
            type(event.target.value)
          }}
        />
        <Button type="submit">Send report</Button>
        <HelpLine />
      </form>
    </Dialog>
  )
}
