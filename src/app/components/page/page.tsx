import type { ReactNode } from 'react'
import { useTitle } from '../../hooks/use-title.ts'

/** A screen's own frame: names the tab, and opens with its heading. */
export function Page(about: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(about.title)
  return (
    <div className="grid gap-5">
      <header className="grid gap-1.5">
        <h1>{about.title}</h1>
        {about.lead && <p className="text-soft">{about.lead}</p>}
      </header>
      {about.children}
    </div>
  )
}
