import { useId, useState } from 'react'
import { TextField } from '../../components/forms/fields.tsx'
import { ItemArt } from '../../components/photo/item-art.tsx'
import { useChoices } from '../../hooks/use-choices.ts'

const other = 'Other'

/** The item: a tile of the list, or a text of the person's own. */
export function ItemTiles(props: {
  value: string
  error?: string
  onBlur: () => void
  onChange: (item: string) => void
}) {
  const id = useId()
  const items = useChoices('items')
  const listed = props.value === '' || (items.includes(props.value) && props.value !== other)
  const [free, setFree] = useState(false)
  const writing = free || !listed
  const choose = (item: string) => {
    setFree(item === other)
    props.onChange(item)
  }
  const isChosen = (item: string) => (writing ? item === other : props.value === item)
  return (
    <div className="grid gap-3">
      <fieldset
        className="grid gap-2"
        aria-describedby={props.error && !writing ? `${id}-error` : undefined}
      >
        <legend className="mb-1.5 text-sm font-semibold">Item description</legend>
        {props.error && !writing && (
          <p id={`${id}-error`} className="text-sm font-semibold text-red">
            {props.error}
          </p>
        )}
        <div className="grid grid-cols-[repeat(auto-fill,minmax(5.5rem,1fr))] gap-2">
          {[...items.filter((item) => item !== other), other].map((item) => (
            <label
              key={item}
              data-checked={isChosen(item) || undefined}
              className="relative grid min-h-22 content-center justify-items-center gap-1 rounded-control border-[1.5px] border-edge bg-card px-0.5 py-1.5 text-center text-[0.8125rem] leading-tight font-semibold tracking-tight data-checked:border-green data-checked:bg-green-wash"
            >
              <input
                type="radio"
                name={writing ? 'itemType' : 'itemDescription'}
                value={item}
                checked={isChosen(item)}
                onChange={() => choose(item)}
                onBlur={props.onBlur}
                className="covers"
              />
              <ItemArt item={item} className="size-9" />
              <span className="[overflow-wrap:anywhere]">{item}</span>
            </label>
          ))}
        </div>
      </fieldset>
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
