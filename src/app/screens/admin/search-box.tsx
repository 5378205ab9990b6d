import { Icon } from '../../components/icons.tsx'

export function SearchBox(about: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  return (
    <div className="relative md:w-80">
      <Icon
        name="search"
        className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-soft"
      />
      <input
        type="search"
        aria-label={about.label}
        placeholder={about.label}
        value={about.value}
        onChange={(event) => about.onChange(event.target.value)}
        className="min-h-12 w-full rounded-control border-[1.5px] border-edge bg-card py-2.5 pr-3.5 pl-11 text-base placeholder:text-soft"
      />
    </div>
  )
}
