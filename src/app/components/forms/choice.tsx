/** A choice of a few things of which one is shown, as a row of buttons. */
export function Choice<V extends string>(props: {
  legend: string
  name: string
  value: V
  choices: readonly (readonly [V, string])[]
  onChange: (value: V) => void
}) {
  return (
    <fieldset className="flex flex-wrap gap-1 rounded-control bg-line p-1">
      <legend className="sr-only">{props.legend}</legend>
      {props.choices.map(([value, label]) => (
        <label
          key={value}
          data-checked={props.value === value || undefined}
          className="relative flex min-h-12 flex-1 items-center justify-center rounded-[11px] px-2 text-center font-semibold text-soft data-checked:bg-card data-checked:text-ink data-checked:shadow-lift"
        >
          <input
            type="radio"
            name={props.name}
            value={value}
            checked={props.value === value}
            onChange={() => props.onChange(value)}
            className="covers"
          />
          {label}
        </label>
      ))}
    </fieldset>
  )
}
