import type { ReactNode } from 'react'

/** A list of names and values. */
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
