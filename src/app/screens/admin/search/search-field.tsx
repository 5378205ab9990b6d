import type { FormEvent, KeyboardEvent } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom'
import { Icon } from '../../../components/text/icon.tsx'
import { searchPath } from '../links.ts'
import { useTypedSearch } from '../list/use-typed-search.ts'

/** Finds anybody and anything, from every admin screen (R186). On the screen of results they follow while it is typed. */
export function SearchField() {
  const navigate = useNavigate()
  const isHere = useLocation().pathname === searchPath
  const [params] = useSearchParams()
  const asked = isHere ? (params.get('q') ?? '') : ''
  const find = (q: string) => {
    if (q !== '' && q !== asked)
      navigate(`${searchPath}?${new URLSearchParams({ q })}`, { replace: isHere })
  }
  const [text, setText] = useTypedSearch(asked, (q) => isHere && find(q))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    find(text.trim())
  }
  const toResults = (event: KeyboardEvent) => {
    const row = document.querySelector<HTMLElement>('#main [data-list-row]')
    if (event.key !== 'ArrowDown' || !isHere || !row) return
    event.preventDefault()
    row.focus()
  }
  return (
    <search className="relative min-w-0 grow basis-60 lg:max-w-lg">
      <form onSubmit={submit}>
        <Icon
          name="search"
          className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-soft"
        />
        <input
          type="search"
          data-search="all"
          aria-label="Find a person or a delivery"
          placeholder="Name, phone or SOMA-…"
          aria-keyshortcuts="/"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={toResults}
          className="min-h-12 w-full rounded-full border-[1.5px] border-edge bg-card py-2.5 pr-3.5 pl-11 text-base placeholder:text-soft"
        />
      </form>
    </search>
  )
}
