import type { ReactNode } from 'react'

/** A highlighted block: gold for a pending state, red for a failure, green for a success. */
export function Notice(props: {
  tone?: 'gold' | 'red' | 'green'
  title: string
  children?: ReactNode
}) {
  const look = { gold: 'bg-gold-wash', red: 'bg-red-wash', green: 'bg-green-wash' }
  return (
    <div className={`grid gap-2 rounded-card p-4 ${look[props.tone ?? 'gold']}`}>
      <strong className={props.tone === 'red' ? 'text-red' : ''}>{props.title}</strong>
      {props.children}
    </div>
  )
}
