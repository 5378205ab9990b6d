import { useSyncExternalStore } from 'react'
import { baseUrl } from '#app/browser/base-url.ts'
import { useLive } from '#app/hooks/use-live.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { handoverKey } from '#store/queries/room.ts'
import type { SomaDb } from '#store/soma-db.ts'
import { personas } from '../../simulation/personas.ts'
import { type TourFacts, tourDraft } from './steps.ts'

/** The facts that tell whether a step is done. `id`: the tour's delivery, empty before it exists. */
export function useTourFacts(id: string): TourFacts {
  const path = useSyncExternalStore(everyInterval, currentPath)
  // At first the delivery is found by the address of the screen that opens after the request.
  const shown = id || path.split('/delivery/')[1] || ''
  const found = useLive(shown ? deliveryRow : undefined, shown)
  const row = found?.view.itemDescription === tourDraft.itemDescription ? found : undefined
  const owner = { account: row?.account ?? '', ID: row?.ID ?? '' }
  const secret = useLive(row ? handoverKey : undefined, owner)?.secret
  const isReviewed = useLive(isApplicantReviewed) ?? false
  return { path, row, secret, isReviewed }
}

async function isApplicantReviewed(db: SomaDb): Promise<boolean> {
  const application = await db.drivers.get([personas.admin.id, personas.pending.id])
  return application !== undefined && application.Status !== 'pending'
}

/** Milliseconds between two looks at the address: this code is outside the router. */
const interval = 200

function everyInterval(look: () => void) {
  const timer = setInterval(look, interval)
  return () => clearInterval(timer)
}

const currentPath = () => `/${location.pathname.slice(baseUrl.pathname.length)}`
