import { useEffect, useState } from 'react'
import { baseUrl } from '#app/browser/base-url.ts'
import { useLive } from '#app/hooks/use-live.ts'
import { room } from '#store/queries/queries.ts'
import { useScene } from './demo-context.ts'
import { type Facts, parcel } from './tour-steps.ts'

/** What the tour can see: the weather, the address, and its parcel on this phone. */
export function useFacts(id: string): Facts {
  const { sky } = useScene()
  const path = usePath()
  // Before it has one, its parcel is the one in whose room the guest has just arrived.
  const shown = id || path.split('/delivery/')[1] || ''
  const row = useLive(async (db) => (shown ? await room(db, shown) : null), [shown])
  const ours = row?.view.itemDescription === parcel.itemDescription ? row : undefined
  return { sky, path, row: ours }
}

/** Milliseconds: the router says nothing to whoever stands outside it. */
const often = 200

function usePath(): string {
  const [path, setPath] = useState(current)
  useEffect(() => {
    const timer = setInterval(() => setPath(current()), often)
    return () => clearInterval(timer)
  }, [])
  return path
}

const current = () => `/${location.pathname.slice(baseUrl.pathname.length)}`
