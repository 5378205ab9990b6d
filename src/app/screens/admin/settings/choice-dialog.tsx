import { type FormEvent, useState } from 'react'
import { type Choice, sameName } from '#domain/choices.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button } from '../../../components/forms/button.tsx'
import { SelectField, TextField } from '../../../components/forms/fields.tsx'

/** The name of a zone or item type, and its place in the list that people choose from (R206, R207). */
export function ChoiceDialog(props: {
  choice: Choice
  choices: readonly Choice[]
  change: (id: string, change: { rename?: string; place?: number }) => Promise<unknown>
  onClose: () => void
}) {
  const { choice, choices, change, onClose } = props
  const before = choices.findIndex(({ ID }) => ID === choice.ID) + 1
  const [name, setName] = useState(choice.Name)
  const [place, setPlace] = useState(before)
  const isTaken = choices.some(({ ID, Name }) => ID !== choice.ID && sameName(Name, name))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isTaken || name.trim() === '') return
    const changed = {
      ...(name.trim() === choice.Name ? {} : { rename: name }),
      ...(place === before ? {} : { place }),
    }
    const isChanged = Object.keys(changed).length > 0
    if (!isChanged || (await attempt('Error', () => change(choice.ID, changed)))) onClose()
  }
  return (
    <Dialog title={choice.Name} onClose={onClose}>
      <form className="grid gap-4" onSubmit={save}>
        <TextField
          label="Name"
          autoComplete="off"
          hint="Deliveries that were requested before keep the old name."
          error={
            isTaken
              ? 'Another one has this name.'
              : name.trim() === ''
                ? 'Please enter a name.'
                : undefined
          }
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <SelectField
          label="Place in the list"
          value={`${place}`}
          onChange={({ target }) => setPlace(Number(target.value))}
        >
          {choices.map(({ ID }, at) => (
            <option key={ID} value={at + 1}>
              {at + 1}
            </option>
          ))}
        </SelectField>
        <Button type="submit">Save</Button>
      </form>
    </Dialog>
  )
}
