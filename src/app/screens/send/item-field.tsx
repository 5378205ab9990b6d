import { useState } from 'react'
import { SelectField, TextField } from '../../components/forms/fields.tsx'
import { useChoices } from '../../hooks/use-choices.ts'

const other = 'Other'

/** The item: one of the list, or a text of the person's own. */
export function ItemField(props: {
  value: string
  error?: string
  onBlur: () => void
  onChange: (item: string) => void
}) {
  const items = useChoices('items')
  const listed = props.value === '' || (items.includes(props.value) && props.value !== other)
  const [free, setFree] = useState(false)
  const writing = free || !listed
  return (
    <div className="grid gap-3">
      <SelectField
        label="Item description"
        name={writing ? 'itemType' : 'itemDescription'}
        value={writing ? other : props.value}
        error={writing ? undefined : props.error}
        onBlur={props.onBlur}
        onChange={({ target }) => {
          setFree(target.value === other)
          props.onChange(target.value)
        }}
      >
        <option value="">Choose an item</option>
        {items
          .filter((item) => item !== other)
          .map((item) => (
            <option key={item}>{item}</option>
          ))}
        <option>{other}</option>
      </SelectField>
      {writing && (
        <TextField
          label="Describe the item"
          name="itemDescription"
          autoComplete="off"
          maxLength={1_000}
          placeholder="A blue suitcase"
          value={props.value === other ? '' : props.value}
          error={props.error}
          onBlur={props.onBlur}
          onChange={(event) => props.onChange(event.target.value || other)}
        />
      )}
    </div>
  )
}
