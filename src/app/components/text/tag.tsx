import type { ReactNode } from 'react'

export type Tone = 'green' | 'gold' | 'clay' | 'plain'

const tones: Record<Tone, string> = {
  green: 'bg-green-wash text-green-strong',
  gold: 'bg-gold-wash text-ink',
  clay: 'bg-clay-wash text-clay-strong',
  plain: 'bg-line text-ink',
}

/** A short label in a coloured pill. */
export function Tag({ tone = 'green', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full px-2.5 py-0.5 text-[0.8125rem] font-bold ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
