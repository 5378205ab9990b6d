import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

export { Kente, Loading, Skeleton } from '../page/skeleton.tsx'

/** Nothing there: says so, why, and what to do about it. */
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

export type Tone = 'green' | 'gold' | 'clay' | 'plain'

const tones: Record<Tone, string> = {
  green: 'bg-green-wash text-green-strong',
  gold: 'bg-gold-wash text-ink',
  clay: 'bg-clay-wash text-clay-strong',
  plain: 'bg-line text-ink',
}

export function Tag({ tone = 'green', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] font-bold ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

/** A block that speaks up: gold while something waits, clay when something went wrong. */
export function Notice(about: {
  tone?: 'gold' | 'clay' | 'green'
  title: string
  children?: ReactNode
}) {
  const look = { gold: 'bg-gold-wash', clay: 'bg-clay-wash', green: 'bg-green-wash' }
  return (
    <div className={`grid gap-2 rounded-card p-4 ${look[about.tone ?? 'gold']}`}>
      <strong className={about.tone === 'clay' ? 'text-clay' : ''}>{about.title}</strong>
      {about.children}
    </div>
  )
}

/** `Osu ······ Tema`, read out as "Osu to Tema"; on a narrow screen the dots go with the second. */
export function RouteLine({ from, to }: { from: string; to: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-sm font-semibold">
      <span>{from}</span>
      <span className="flex items-center gap-x-2">
        <span
          aria-hidden="true"
          className="h-0 w-5 shrink-0 border-t-2 border-dotted border-soft"
        />
        <span className="sr-only">to</span>
        <span>{to}</span>
      </span>
    </span>
  )
}

/** Facts as a list of name and value. */
export function Facts({ of }: { of: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="grid gap-3">
      {of.map(([name, value]) => (
        <div key={name} className="grid gap-0.5">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-semibold [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
