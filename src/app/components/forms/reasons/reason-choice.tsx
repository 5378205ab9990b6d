import { useId } from 'react'

/** One of a few reasons, as chips. */
export function ReasonChoice<V extends string>(props: {
  legend: string
  value: V | undefined
  choices: readonly (readonly [V, string])[]
  error?: string
  onChange: (value: V) => void
}) {
  const id = useId()
  return (
    <fieldset className="grid gap-2" aria-describedby={props.error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">{props.legend}</legend>
      <div className="flex flex-wrap gap-2">
        {props.choices.map(([value, label]) => (
          <label
            key={value}
            data-checked={props.value === value || undefined}
            className="relative grid min-h-12 place-items-center rounded-full border-[1.5px] border-edge bg-card px-4 py-1.5 text-center text-sm font-semibold data-checked:border-green data-checked:bg-green-wash"
          >
            <input
              type="radio"
              name={id}
              value={value}
              checked={props.value === value}
              onChange={() => props.onChange(value)}
              className="covers"
            />
            {label}
          </label>
        ))}
      </div>
      {props.error && (
        <p id={`${id}-error`} role="alert" className="text-sm font-semibold text-red">
          {props.error}
        </p>
      )}
    </fieldset>
  )
}
