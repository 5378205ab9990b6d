import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** An empty state: its title, the reason, and an action. */
export function Empty(props: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="card grid justify-items-center gap-2 px-6 py-8 text-center">
      <span className="grid size-14 place-items-center rounded-2xl bg-green-wash text-green">
        <Icon name={props.icon ?? 'box'} className="size-7" />
      </span>
      <h2>{props.title}</h2>
      {props.children && <p className="max-w-prose text-soft">{props.children}</p>}
      {props.action && <div className="mt-2">{props.action}</div>}
    </div>
  )
}
