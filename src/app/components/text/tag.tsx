import type { ReactNode } from 'react'

export type Tone = 'gold' | 'teal' | 'clay' | 'green' | 'approved' | 'plain' | 'unsent' | 'red'

const tones: Record<Tone, string> = {
  gold: 'border-transparent bg-gold-wash text-ink',
  teal: 'border-transparent bg-teal-wash text-teal-strong',
  clay: 'border-transparent bg-clay-wash text-clay-strong',
  green: 'border-transparent bg-green-wash text-green-strong',
  approved: 'border-transparent bg-approved text-white',
  plain: 'border-transparent bg-line text-ink',
  unsent: 'border-gold text-ink',
  red: 'border-transparent bg-red-wash text-red-strong',
}

/** A short label in a coloured pill. */
export function Tag({ tone = 'green', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full border-[1.5px] px-2.5 py-px text-[0.8125rem] font-bold ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
