import type { ReactNode } from 'react'
import { useTitle } from '../../hooks/use-title.ts'

type Props = {
  title: string
  lead?: ReactNode
  /** The person is past its beginning: what they came for needs the space. */
  isSmall?: boolean
  children: ReactNode
}

/** A screen's content under its heading; sets the tab's title. */
export function PageLayout(props: Props) {
  useTitle(props.title)
  return (
    <div className="grid gap-4">
      <header className="grid gap-1.5">
        <h1 className={props.isSmall ? 'text-lg' : ''}>{props.title}</h1>
        {props.lead && !props.isSmall && <p className="text-soft">{props.lead}</p>}
      </header>
      {props.children}
    </div>
  )
}
