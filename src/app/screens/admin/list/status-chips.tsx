/** What narrows a list by status: a row of buttons, each with its count. Empty `value`: all. */
export function StatusChips<V extends string>(props: {
  legend: string
  value: V | ''
  choices: readonly (readonly [V, string])[]
  /** Rows of each status; undefined while they are not known, null where the server has not counted so many. */
  counts: Readonly<Record<string, number>> | null | undefined
  onChange: (value: V | '') => void
}) {
  const { value: chosen, choices, counts } = props
  const all = counts && Object.values(counts).reduce((sum, each) => sum + each, 0)
  const chips: [V | '', string, number | undefined | null][] = [
    ['', 'All', all],
    ...choices.map(([value, label]): [V, string, number | undefined | null] => [
      value,
      label,
      counts && (counts[value] ?? 0),
    ]),
  ]
  return (
    <fieldset className="relative -mx-4 flex min-w-0 gap-1.5 overflow-x-auto px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-wrap lg:px-0">
      <legend className="sr-only">{props.legend}</legend>
      {chips.map(([value, label, count]) => (
        <button
          key={value}
          type="button"
          aria-pressed={chosen === value}
          onClick={() => props.onChange(value)}
          className="min-h-11 shrink-0 rounded-full border-[1.5px] border-edge bg-card px-3.5 text-sm font-bold tabular-nums aria-pressed:border-green aria-pressed:bg-green aria-pressed:text-on-green"
        >
          {counts === null ? label : `${label} (${count?.toLocaleString('en-GH') ?? '…'})`}
        </button>
      ))}
    </fieldset>
  )
}
