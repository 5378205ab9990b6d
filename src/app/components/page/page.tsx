import type { ReactNode } from 'react'
import { useTitle } from '../../hooks/use-title.ts'

/** A screen's content under its heading; sets the tab's title. */
export function PageLayout(props: { title: string; lead?: ReactNode; children: ReactNode }) {
  useTitle(props.title)
  return (
    <div className="grid gap-4">
      <header className="grid gap-1.5">
        <h1>{props.title}</h1>
        {props.lead && <p className="text-soft">{props.lead}</p>}
      </header>
      {props.children}
    </div>
  )
}
