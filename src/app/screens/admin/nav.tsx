import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { adminStats, type Stats } from '#store/queries/admin/admin.ts'
import { NavLink } from '../../components/forms/link.tsx'
import { Icon } from '../../components/text/icon.tsx'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { paths } from '../../paths.ts'
import { useSections } from './keyboard/sections.ts'

/** What waits for an admin in a section: a number and its name. */
const waiting: Record<string, (stats: Stats) => readonly [number, string]> = {
  [paths.adminDrivers]: ({ pendingDrivers }) => [pendingDrivers, 'pending'],
  [paths.adminDisputes]: ({ openDisputes = 0 }) => [openDisputes, 'open'],
}

/**
 * The links: a row that scrolls sideways on a phone, with the current link in view, and a column on a wide
 * screen.
 */
export function Nav() {
  const ref = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useWatch({ kind: 'adminStats' })
  const stats = useOwn(adminStats)
  const sections = useSections()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path.
  useEffect(() => {
    ref.current
      ?.querySelector('[aria-current=page]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return (
    <nav
      ref={ref}
      aria-label="Admin"
      className="relative flex gap-1 overflow-x-auto px-3 pb-2 [scrollbar-width:none] lg:grid"
    >
      {sections.map(({ to, label, icon }) => (
        <NavLink
          key={to}
          to={to}
          within={to !== paths.admin}
          className="flex min-h-12 shrink-0 items-center gap-2.5 rounded-control px-3.5 font-semibold text-mint aria-[current=page]:bg-white/15 aria-[current=page]:text-white"
        >
          <Icon name={icon} className="size-5" />
          {label}
          <Badge of={stats ? waiting[to]?.(stats) : undefined} />
        </NavLink>
      ))}
    </nav>
  )
}

function Badge({ of }: { of: readonly [number, string] | undefined }) {
  const [count, name] = of ?? [0, '']
  if (count === 0) return null
  return (
    <span className="ml-auto min-w-6 rounded-full bg-gold px-1.5 text-center text-sm font-bold text-on-gold tabular-nums">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> {name}</span>
    </span>
  )
}
