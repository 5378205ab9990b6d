import { useSyncExternalStore } from 'react'
import { baseUrl } from '#app/browser/base-url.ts'
import { useLive } from '#app/hooks/use-live.ts'
import { deliveryRow } from '#store/queries/deliveries.ts'
import { useDemoState } from '../demo-context.ts'
import { type TourFacts, tourDraft } from './steps.ts'

/** The facts that tell whether a step is done. `id`: the tour's delivery, empty before it exists. */
export function useTourFacts(id: string): TourFacts {
  const { network } = useDemoState()
  const path = useAddress(currentPath)
  const isMap = useAddress(hasMap)
  // At first the delivery is found by the address of the screen that opens after the request.
  const shown = id || path.split('/delivery/')[1] || ''
  const row = useLive(shown ? deliveryRow : undefined, shown)
  const own = row?.view.itemDescription === tourDraft.itemDescription ? row : undefined
  return { network, path, isMap, row: own }
}

/** Milliseconds between two looks at the address: this code is outside the router. */
const interval = 200

const useAddress = <T>(read: () => T) => useSyncExternalStore(everyInterval, read)

function everyInterval(look: () => void) {
  const timer = setInterval(look, interval)
  return () => clearInterval(timer)
}

const currentPath = () => `/${location.pathname.slice(baseUrl.pathname.length)}`
const hasMap = () => location.search.includes('map=1')
