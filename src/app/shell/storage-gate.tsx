import { type ReactNode, Suspense, startTransition, useEffect, useState } from 'react'
import { followOpening, type OpeningFailure } from '#sync/database/connection/opening.ts'
import { lazyPart } from '../components/page/lazy-part.tsx'
import { useSoma } from '../hooks/use-soma.ts'
import { Opened, Opening } from './opening.tsx'

const StorageProblem = lazyPart(() => import('../screens/storage-problem/page.tsx'))

/** Draws the app once its database is open, or what keeps it from opening and what helps. */
export function StorageGate({ children }: { children: ReactNode }) {
  const { db } = useSoma()
  const [state, setState] = useState<'open' | OpeningFailure>()
  useEffect(() => followOpening(db, (now) => startTransition(() => setState(now))), [db])
  if (state === 'open') return children
  if (state === undefined) return <Opening />
  return (
    <Suspense fallback={<Opening />}>
      <Opened />
      <StorageProblem failure={state} />
    </Suspense>
  )
}
