import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { isWay, type Offered } from '#store/deliveries/offered-route.ts'
import type { OfferOrder } from '#store/queries/lists.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { IconButton } from '../../components/forms/button.tsx'
import { Icon, type IconName } from '../../components/text/icon.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import type { useOffered } from '../../hooks/way/use-offered.ts'
import { RouteFilter } from './route-filter.tsx'

type Props = NonNullable<ReturnType<typeof useOffered>> & { order: OfferOrder; hasJobs: boolean }

/** In the order in which a tap leads from one to the next. */
const orders: { pay: string; newest: string; price: string } = {
  pay: 'Best pay for the detour',
  newest: 'Newest',
  price: 'Best paid',
}

/** The order that the address names; of the jobs on a way the best pay for the detour comes first. */
export function orderIn(search: URLSearchParams, offered: Offered): OfferOrder {
  const named = search.get('sort')
  if (named === 'price' || named === 'newest') return named
  return isWay(offered) ? 'pay' : 'newest'
}

/** The way, the map and, of all jobs, the order, as chips; all are in the address, and the way is remembered. */
export function ListOptions({ offered, until, commute, choose, order, hasJobs }: Props) {
  const [choosing, setChoosing] = useState(false)
  const [search] = useSearchParams()
  const way = isWay(offered) ? offered : undefined
  const change = useChange()
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Chip icon="pin" onClick={() => setChoosing(true)}>
        {way ? <WayText {...way} until={until} /> : 'Your way'}
      </Chip>
      {way && (
        <>
          <IconButton
            icon="swap"
            label="Swap the route"
            onClick={() => void choose({ ...way, from: way.to, to: way.from })}
          />
          <Chip onClick={() => void choose({})}>All jobs</Chip>
        </>
      )}
      {commute && (
        <Chip icon="car" onClick={() => void choose({ from: commute.from, to: commute.to })}>
          <WayText {...commute} />
        </Chip>
      )}
      {hasJobs && (
        <Chip
          pressed={search.has('map')}
          onClick={() => change('map', search.has('map') ? undefined : '1')}
        >
          Map
        </Chip>
      )}
      {!way && hasJobs && <OrderChip offered={offered} order={order} />}
      {choosing && (
        <Dialog title="Your route" onClose={() => setChoosing(false)}>
          <RouteFilter
            way={way}
            onChoose={async (next) => {
              await choose(next)
              setChoosing(false)
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

/** A tap leads from one order to the next. */
export function OrderChip({ offered, order }: { offered: Offered; order: OfferOrder }) {
  const change = useChange()
  const next = () => {
    const all = Object.keys(orders).filter((each) => isWay(offered) || each !== 'pay')
    const following = all[(all.indexOf(order) + 1) % all.length]
    change('sort', following === 'pay' ? undefined : following)
  }
  return (
    <Chip icon="sort" onClick={next}>
      {orders[order]}
    </Chip>
  )
}

/** Changes one value of the address. */
function useChange() {
  const [search, setSearch] = useSearchParams()
  return (name: string, value: string | undefined) => {
    const next = new URLSearchParams(search)
    if (value === undefined) next.delete(name)
    else next.set(name, value)
    setSearch(next, { replace: true })
  }
}

function WayText({ from, to, until }: { from: string; to: string; until?: string }) {
  return (
    <span className="text-left">
      <Verbatim>{`${from} → ${to}`}</Verbatim>
      {until && ` · until ${until}`}
    </span>
  )
}

function Chip(props: {
  icon?: IconName
  pressed?: boolean
  onClick: () => void
  children: React.ReactNode
}) {
  const { icon, pressed, onClick, children } = props
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={`inline-flex min-h-12 items-center gap-1.5 rounded-full border-[1.5px] px-3.5 text-sm font-bold ${pressed ? 'border-green bg-green-wash' : 'border-edge bg-card'}`}
    >
      {icon && <Icon name={icon} className="size-4.5" />}
      {children}
    </button>
  )
}
