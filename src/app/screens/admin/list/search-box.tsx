import { Icon } from '../../../components/text/icon.tsx'
import { useTypedSearch } from './use-typed-search.ts'

export function SearchBox(props: {
  label: string
  value: string
  onChange: (text: string) => void
}) {
  const [text, setText] = useTypedSearch(props.value, props.onChange)
  return (
    <div className="relative md:w-80">
      <Icon
        name="search"
        className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-soft"
      />
      <input
        type="search"
        data-search="list"
        aria-label={props.label}
        placeholder={props.label}
        maxLength={200}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="min-h-12 w-full rounded-control border-[1.5px] border-edge bg-card py-2.5 pr-3.5 pl-11 text-base placeholder:text-soft"
      />
    </div>
  )
}
