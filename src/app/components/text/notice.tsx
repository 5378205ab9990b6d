import type { ReactNode } from 'react'

/** A highlighted block: gold for a pending state, clay for a failure, green for a success. */
export function Notice(props: {
  tone?: 'gold' | 'clay' | 'green'
  title: string
  children?: ReactNode
}) {
  const look = { gold: 'bg-gold-wash', clay: 'bg-clay-wash', green: 'bg-green-wash' }
  return (
    <div className={`grid gap-2 rounded-card p-4 ${look[props.tone ?? 'gold']}`}>
      <strong className={props.tone === 'clay' ? 'text-clay' : ''}>{props.title}</strong>
      {props.children}
    </div>
  )
}
