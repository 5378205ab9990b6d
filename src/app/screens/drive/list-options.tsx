import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { OfferedRoute } from '#store/deliveries/offered-route.ts'
import type { OfferOrder } from '#store/queries/lists.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { IconButton } from '../../components/forms/button.tsx'
import { Icon } from '../../components/text/icon.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useSoma } from '../../hooks/use-soma.ts'
import { RouteFilter } from './route-filter.tsx'

const chip =
  'inline-flex min-h-12 items-center gap-1.5 rounded-full border-[1.5px] border-edge bg-card px-4 text-sm font-bold'

/** The route and the order of the list, as chips; both are in the address, and the route is remembered. */
export function ListOptions({ route, order }: { route: OfferedRoute; order: OfferOrder }) {
  const [choosing, setChoosing] = useState(false)
  const [search, setSearch] = useSearchParams()
  const { commands } = useSoma()
  const { pickupZone: from, dropoffZone: to } = route
  const change = (values: Record<string, string | undefined>) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values))
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    setSearch(next, { replace: true })
  }
  const choose = async (next: OfferedRoute) => {
    await commands.rememberRoute(next)
    change({ from: next.pickupZone, to: next.dropoffZone })
    setChoosing(false)
  }
  const isChosen = from !== undefined && to !== undefined
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <button type="button" className={chip} onClick={() => setChoosing(true)}>
        <Icon name="pin" className="size-4.5" />
        {isChosen ? <Verbatim>{`${from} → ${to}`}</Verbatim> : 'All routes'}
      </button>
      {isChosen && (
        <>
          <IconButton
            icon="swap"
            label="Swap the route"
            onClick={() => void choose({ pickupZone: to, dropoffZone: from })}
          />
          <IconButton icon="close" label="Show all routes" onClick={() => void choose({})} />
        </>
      )}
      <button
        type="button"
        className={`${chip} ml-auto`}
        onClick={() => change({ sort: order === 'price' ? undefined : 'price' })}
      >
        <Icon name="sort" className="size-4.5" />
        {order === 'price' ? 'Best paid' : 'Newest'}
      </button>
      {choosing && (
        <Dialog title="Your route" onClose={() => setChoosing(false)}>
          <RouteFilter route={route} onChoose={choose} />
        </Dialog>
      )}
    </div>
  )
}
