type Chip = { key: string; text: string; onPick: () => unknown }

/** What fills in several fields with one tap. Nothing where there is nothing to offer. */
export function Chips({ label, chips }: { label: string; chips: readonly Chip[] }) {
  if (chips.length === 0) return null
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-semibold text-soft">{label}</legend>
      <div className="flex flex-wrap gap-2">
        {chips.map(({ key, text, onPick }) => (
          <button
            key={key}
            type="button"
            translate="no"
            onClick={onPick}
            className="min-h-12 rounded-full border-[1.5px] border-edge bg-card px-4 text-sm font-semibold [overflow-wrap:anywhere]"
          >
            {text}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
