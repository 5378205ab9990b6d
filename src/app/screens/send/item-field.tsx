import { useState } from 'react'
import { SelectField, TextField } from '../../components/forms/fields.tsx'
import { useChoices } from '../../hooks/use-choices.ts'

const other = 'Other'

/** The item: one of the list, or in the person's own words. */
export function ItemField(about: {
  value: string
  error?: string
  onBlur: () => void
  onChange: (item: string) => void
}) {
  const items = useChoices('items')
  const listed = about.value === '' || (items.includes(about.value) && about.value !== other)
  const [free, setFree] = useState(false)
  const writing = free || !listed
  return (
    <div className="grid gap-3">
      <SelectField
        label="Item description"
        name={writing ? 'itemType' : 'itemDescription'}
        value={writing ? other : about.value}
        error={writing ? undefined : about.error}
        onBlur={about.onBlur}
        onChange={({ target }) => {
          setFree(target.value === other)
          about.onChange(target.value)
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
          value={about.value === other ? '' : about.value}
          error={about.error}
          onBlur={about.onBlur}
          onChange={(event) => about.onChange(event.target.value || other)}
        />
      )}
    </div>
  )
}
