/** A setting that is on or off and counts at once. The whole line can be tapped. */
export function Switch(props: { label: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <label className="relative flex min-h-12 items-center justify-between gap-3 rounded-control">
      <span>{props.label}</span>
      <input
        type="checkbox"
        role="switch"
        checked={props.isOn}
        aria-checked={props.isOn}
        onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
        className="covers peer"
      />
      <span
        aria-hidden="true"
        className="relative h-7 w-12 shrink-0 rounded-full bg-edge transition-colors peer-checked:bg-green after:absolute after:top-1 after:left-1 after:size-5 after:rounded-full after:bg-card after:transition-[left] peer-checked:after:left-6"
      />
    </label>
  )
}
