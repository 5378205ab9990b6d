import type { ReactNode } from 'react'
import { waitingCard } from '#store/queries/account/driver-card.ts'
import { useOwn } from '../../hooks/use-live.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { licenceWarning } from '../../texts/licence-texts.ts'
import { Notice } from '../text/notice.tsx'

/** Tells a driver that their licence ends soon or has ended (R114); nothing otherwise. */
export function LicenceNotice({ children }: { children?: ReactNode }) {
  const { user } = useVisitor()
  const waiting = useOwn(waitingCard)
  const { licenceNumber: number, licenceExpires: expires } = waiting ?? {}
  const next = number && expires ? { number, expires } : undefined
  const warning = licenceWarning(
    user?.licence,
    new Date().toISOString(),
    next,
    user?.licencePending,
  )
  if (!warning) return null
  return (
    <Notice tone={warning.tone} title={warning.title}>
      <p>{warning.text}</p>
      {children}
    </Notice>
  )
}
