import { type FormEvent, useState } from 'react'
import { maxViewName, type SavedView, viewProblem } from '#domain/office/saved-view.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { TextField } from '../../../components/forms/fields.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'

type Props = {
  list: string
  query: string
  /** The name at first; may be empty. */
  suggested: string
  /** The list's other views. */
  views: readonly SavedView[]
  onClose: () => void
}

/** Asks for the name of a view. */
export function SaveView({ list, query, suggested, views, onClose }: Props) {
  const { commands } = useSoma()
  const [name, setName] = useState(suggested)
  const [problem, setProblem] = useState<string>()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const found = viewProblem(views, { list, name })
    setProblem(found)
    if (found) return
    if (await attempt('Not saved', () => commands.saveView({ list, name, query }))) onClose()
  }
  return (
    <Dialog title="Save view" onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4" noValidate>
        <p className="text-soft">
          Keeps this search, its filters and its sort on this device until you log out.
        </p>
        <TextField
          label="Name"
          maxLength={maxViewName}
          autoComplete="off"
          value={name}
          error={problem}
          onChange={(event) => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <div className="grid gap-2 sm:grid-cols-2">
          <Button type="submit">Save</Button>
          <Button look="line" onClick={onClose}>
            Not now
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
