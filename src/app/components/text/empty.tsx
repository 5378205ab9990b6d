import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

/** An empty state: its title, the reason, and an action. */
export function Empty(about: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="card grid justify-items-center gap-2 px-6 py-8 text-center">
      <span className="grid size-14 place-items-center rounded-2xl bg-green-wash text-green">
        <Icon name={about.icon ?? 'box'} className="size-7" />
      </span>
      <h2>{about.title}</h2>
      {about.children && <p className="max-w-prose text-soft">{about.children}</p>}
      {about.action && <div className="mt-2">{about.action}</div>}
    </div>
  )
}
