import { maxText } from '#domain/deliveries/draft.ts'
import type { Details } from '#store/queries/admin/admin.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField } from '../../../components/forms/fields.tsx'
import { useSessionText } from '../../../hooks/forms/use-session-text.ts'
import { useSoma } from '../../../hooks/use-soma.ts'
import { longDate } from '../../../texts/time.ts'

/** What the office wrote down about a person, who never reads it (R202). */
export function Notes({ details: { user, about, unsentNotes } }: { details: Details }) {
  const { commands } = useSoma()
  const { text, type } = useSessionText(`note:${user.ID}`)
  const add = async () => {
    const work = () => commands.addNote(user.ID, text.trim())
    if (await attempt('Error', work, 'Failed to save the note')) type('')
  }
  return (
    <section className="card grid gap-3" aria-label="Notes">
      <h2>Notes</h2>
      <TextAreaField
        label="New note"
        hint="Only the office reads notes."
        rows={2}
        maxLength={maxText}
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <Button look="line" className="justify-self-start" disabled={!text.trim()} onClick={add}>
        Add note
      </Button>
      <ul className="grid gap-3">
        {unsentNotes.map(({ id, input }) => (
          <Note key={id} text={input.text} side="Not sent yet" />
        ))}
        {about?.notes.map(({ ID, text: words, by, at }) => (
          <Note key={ID} text={words} side={`${by} · ${longDate(at)}`} />
        ))}
      </ul>
    </section>
  )
}

const Note = ({ text, side }: { text: string; side: string }) => (
  <li className="grid gap-0.5 border-t border-line pt-2">
    <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{text}</p>
    <span className="text-sm text-soft">{side}</span>
  </li>
)
