import type { ReactNode } from 'react'
import { Empty } from '../../components/text/empty.tsx'
import { useIsSupport } from '../../hooks/use-visitor.ts'

/** A screen that support does not open (R210): money, settings, colleagues and decisions. */
export function ForAdmins({ children }: { children: ReactNode }) {
  if (!useIsSupport()) return children
  return (
    <Empty icon="shield" title="Only admins open this">
      You can read deliveries, drivers, users and disputes, and help people who call.
    </Empty>
  )
}
