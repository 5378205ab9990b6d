import type { ReactNode } from 'react'

type Props = { of: readonly (readonly [string, ReactNode])[]; isTwoColumns?: true }

/** A list of names and values. */
export function Facts({ of, isTwoColumns }: Props) {
  return (
    <dl className={`grid gap-3 ${isTwoColumns ? 'sm:grid-cols-2' : ''}`}>
      {of.map(([name, value]) => (
        <div key={name} className="grid gap-0.5">
          <dt className="text-sm text-soft">{name}</dt>
          <dd className="font-semibold [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
