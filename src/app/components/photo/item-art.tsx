import type { ReactNode } from 'react'
import { Parcel } from './parcel.tsx'

const ink = '#14201a'
const green = '#3dbe86'
const gold = '#f4b731'
const clay = '#b9431f'
const grey = '#7b877f'

/** A drawing for each default item type; other items are drawn as a parcel. */
const drawings: Record<string, ReactNode> = {
  Documents: (
    <>
      <path d="M10 5h14l7 7v23H10z" fill="#fff" stroke={ink} strokeWidth="1.6" />
      <path d="M24 5v7h7z" fill={gold} />
      <path d="M15 19h11M15 24h11M15 29h7" stroke={grey} strokeWidth="2" />
    </>
  ),
  Laptop: (
    <>
      <rect x="8" y="9" width="24" height="16" rx="2" fill={ink} />
      <rect x="10" y="11" width="20" height="12" fill={green} />
      <path d="M4 29h32l-3 3H7z" fill={grey} />
    </>
  ),
  Phone: (
    <>
      <rect x="12" y="4" width="16" height="32" rx="3.5" fill={ink} />
      <rect x="14" y="8" width="12" height="22" fill={green} />
      <circle cx="20" cy="33" r="1.3" fill="#fff" />
    </>
  ),
  Groceries: (
    <>
      <path d="M14 16c0-9 4-11 6-11s6 2 6 11" fill="none" stroke={ink} strokeWidth="1.8" />
      <path d="M8 15h24l-3 20H11z" fill={gold} />
      <path d="M9 21h22l-.6 4H9.600z" fill={clay} />
    </>
  ),
  Clothing: (
    <path
      d="M14 7l-9 5 3 7 4-2v17h16V17l4 2 3-7-9-5c-1 3-3 4-6 4s-5-1-6-4z"
      fill={green}
      stroke={ink}
      strokeWidth="1.6"
    />
  ),
  Food: (
    <>
      <path d="M6 19h28c0 9-5 14-14 14S6 28 6 19z" fill={clay} />
      <path d="M10 18c1-6 5-8 10-8s9 2 10 8z" fill={gold} />
      <path d="M15 7c0-2 2-2 2-4M22 7c0-2 2-2 2-4" stroke={grey} strokeWidth="1.8" fill="none" />
    </>
  ),
  Medication: (
    <>
      <rect
        x="11"
        y="12"
        width="18"
        height="23"
        rx="3"
        fill="#fff"
        stroke={ink}
        strokeWidth="1.6"
      />
      <rect x="13" y="5" width="14" height="7" rx="1.5" fill={green} />
      <path d="M20 18v10M15 23h10" stroke={clay} strokeWidth="3" />
    </>
  ),
  Keys: (
    <>
      <circle cx="14" cy="15" r="7" fill="none" stroke={gold} strokeWidth="4" />
      <path
        d="M19 20l14 14M27 28l4-4M31 32l3-3"
        stroke={gold}
        strokeWidth="4"
        strokeLinecap="round"
      />
    </>
  ),
}

export function ItemArt({ item, className = 'size-11' }: { item: string; className?: string }) {
  const drawing = drawings[item]
  if (!drawing) return <Parcel className={className} />
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={className}>
      {drawing}
    </svg>
  )
}
