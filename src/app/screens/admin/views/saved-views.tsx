import { useEffect, useRef, useState } from 'react'
import type { SavedView } from '#domain/office/saved-view.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { Link } from '../../../components/forms/link.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { SaveView } from './save-view.tsx'

type Props = {
  list: string
  /** What the address says of the list now; '' for the list as it is at first. */
  query: string
  /** The list's views; undefined until they are loaded. */
  views: readonly SavedView[] | undefined
}

/** Saves the list as it is now, or removes the view that is open (R229). */
export function ViewAction({ list, query, views = [] }: Props) {
  const { commands } = useSoma()
  const [isSaving, setSaving] = useState(false)
  const [removed, setRemoved] = useState<SavedView>()
  const open = views.find((view) => view.query === query)
  if (query === '') return null
  return (
    <>
      <Button
        look="ghost"
        tight
        className="text-sm"
        onClick={async () => {
          if (!open) return setSaving(true)
          if (await attempt('Not removed', () => commands.removeView(open))) setRemoved(open)
        }}
      >
        {open ? 'Remove view' : 'Save view'}
      </Button>
      {isSaving && (
        <SaveView
          list={list}
          query={query}
          // One that was removed by mistake is saved again under its name.
          suggested={removed?.query === query ? removed.name : ''}
          views={views}
          onClose={() => setSaving(false)}
        />
      )}
    </>
  )
}

/** The list's views, each one tap away: a row that scrolls sideways on a phone, with the open one in view. */
export function ViewChips({ query, views = [] }: Pick<Props, 'query' | 'views'>) {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the open view changes with the address and the views.
  useEffect(() => {
    const open = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (!row.current || !open) return
    row.current.scrollLeft = open.offsetLeft - (row.current.clientWidth - open.offsetWidth) / 2
  }, [query, views.length])
  if (views.length === 0) return null
  return (
    <nav
      ref={row}
      aria-label="Saved views"
      className="relative -mx-4 flex min-w-0 gap-1.5 overflow-x-auto px-4 py-1 [scrollbar-width:none] lg:mx-0 lg:flex-wrap lg:px-0"
    >
      {views.map((view) => (
        <Link
          key={view.name}
          to={{ search: view.query }}
          replace
          translate="no"
          aria-current={view.query === query || undefined}
          className="min-h-11 shrink-0 rounded-full border-[1.5px] border-dashed border-edge bg-card px-3.5 py-2.5 text-sm font-bold whitespace-nowrap aria-[current=true]:border-green aria-[current=true]:bg-green aria-[current=true]:text-on-green"
        >
          {view.name}
        </Link>
      ))}
    </nav>
  )
}
