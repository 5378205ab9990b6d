import { type ReactNode, type Ref, useRef, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Trip } from '#domain/users/commutes.ts'
import type { Way } from '#domain/zones/on-the-way.ts'
import { isPlaced } from '#domain/zones/zone.ts'
import { isWay, type Offered } from '#store/deliveries/offered-route.ts'
import { availableCount, type OfferOrder } from '#store/queries/lists.ts'
import { zones } from '#store/queries/queries.ts'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { IconButton } from '../../components/forms/button.tsx'
import { Icon, type IconName } from '../../components/text/icon.tsx'
import { Verbatim } from '../../components/text/verbatim.tsx'
import { useLive, useOwn } from '../../hooks/use-live.ts'
import type { Chosen, CommuteTrip } from '../../hooks/way/use-offered.ts'
import { departureText } from '../../texts/way/commute-texts.ts'
import { RouteFilter } from './route-filter.tsx'

type Props = Chosen & { order: OfferOrder }

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

/**
 * The way, the map and the order, as chips; all are in the address, and the way is remembered. On a phone 360 px wide
 * they take two rows.
 */
export function ListOptions({ offered, shown, commute, choose, order }: Props) {
  const [choosing, setChoosing] = useState(false)
  const [search] = useSearchParams()
  const change = useChange()
  const hasJobs = Boolean(useOwn(availableCount, offered))
  const hasMap = Boolean(useLive(zones)?.some(isPlaced))
  const wayChip = useRef<HTMLButtonElement>(null)
  const way = isWay(offered) ? offered : undefined
  // The chip that was pressed is gone then.
  const leave = async (next: Offered) => {
    await choose(next)
    wayChip.current?.focus()
  }
  const toCommute = commute && (
    <Chip
      icon="car"
      isShort={way !== undefined}
      onClick={() => void leave({ from: commute.from, to: commute.to })}
    >
      <WayText {...commute} detail={timeText(commute)} />
    </Chip>
  )
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {!way && toCommute}
      <Chip
        ref={wayChip}
        icon={way ? undefined : 'pin'}
        // Beside it is room for one or two icons.
        className={way ? (commute ? 'max-w-[calc(100%-108px)]' : 'max-w-[calc(100%-54px)]') : ''}
        onClick={() => setChoosing(true)}
      >
        {way ? <WayText {...way} detail={shown ? timeText(shown) : detourText(way)} /> : 'Your way'}
      </Chip>
      {way && (
        <>
          <IconButton
            icon="swap"
            label="Swap the route"
            onClick={() => void choose({ ...way, from: way.to, to: way.from })}
          />
          {toCommute}
          <Chip onClick={() => void leave({})}>All jobs</Chip>
        </>
      )}
      {hasJobs && hasMap && (
        <Chip
          className="lg:hidden"
          pressed={search.has('map')}
          onClick={() => change('map', search.has('map') ? undefined : '1')}
        >
          Map
        </Chip>
      )}
      {hasJobs && <OrderChip offered={offered} order={order} />}
      {choosing && (
        <Dialog title="Your way" onClose={() => setChoosing(false)}>
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
function OrderChip({ offered, order }: { offered: Offered; order: OfferOrder }) {
  const change = useChange()
  const next = () => {
    const all = Object.keys(orders).filter((each) => isWay(offered) || each !== 'pay')
    const following = all[(all.indexOf(order) + 1) % all.length]
    change('sort', following === 'pay' ? undefined : following)
  }
  return (
    <Chip icon="sort" onClick={next}>
      <span className="sr-only">Order: </span>
      <span className="text-left max-sm:max-w-[6.5rem]">{orders[order]}</span>
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

/** `until 08:30`, or when it is left next. */
function timeText({ until, at }: CommuteTrip) {
  if (until) return `until ${until}`
  return at && departureText(at)
}

/** How far the driver goes for a job, where they have said so. */
function detourText({ detour }: Way) {
  if (detour === undefined) return undefined
  return detour === 0 ? 'no detour' : `detour up to ${detour} km`
}

/** `Adenta → Accra Central`, and `until 08:30` below it. */
function WayText({ from, to, detail }: Trip & { detail: string | undefined }) {
  return (
    <span className="grid text-left">
      <Verbatim>{`${from} → ${to}`}</Verbatim>
      {detail && (
        <>
          <span className="sr-only"> · </span>
          <span className="font-normal">{detail}</span>
        </>
      )}
    </span>
  )
}

function Chip(props: {
  ref?: Ref<HTMLButtonElement>
  icon?: IconName
  /** Its icon alone on a phone. */
  isShort?: boolean
  pressed?: boolean
  className?: string
  onClick: () => void
  children: ReactNode
}) {
  const { ref, icon, isShort, pressed, className = '', onClick, children } = props
  const look = pressed ? 'border-green bg-green-wash' : 'border-edge bg-card'
  return (
    <button
      ref={ref}
      type="button"
      aria-pressed={pressed}
      onClick={onClick}
      className={`inline-flex min-h-12 items-center gap-1.5 rounded-full border-[1.5px] px-3 text-sm leading-tight font-bold [overflow-wrap:anywhere] ${isShort ? 'max-sm:size-12 max-sm:justify-center max-sm:px-0' : ''} ${look} ${className}`}
    >
      {icon && <Icon name={icon} className="size-4.5" />}
      {isShort ? <span className="max-sm:sr-only">{children}</span> : children}
    </button>
  )
}
