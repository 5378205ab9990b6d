import type { ReactNode } from 'react'

/** A highlighted block: gold for a pending state, clay for a failure, green for a success. */
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
