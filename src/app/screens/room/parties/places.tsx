import { type Actor, type Delivery, isDriverOf, isPartyTo } from '#domain/deliveries/delivery.ts'
import {
  isPlace,
  mapAddress,
  type Pin,
  type Place,
  pinOf,
} from '#domain/deliveries/places/place.ts'
import { isOffice } from '#domain/users/user.ts'
import type { DeliveryRow } from '#store/rows.ts'
import { copyText } from '../../../browser/device/clipboard.ts'
import { buttonClass, IconButton } from '../../../components/forms/button.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { Verbatim } from '../../../components/text/verbatim.tsx'

/** Where the stops are, for the parties and admins (R112); the driver's next one stands in the task. */
export function Stops({ row, who }: { row: DeliveryRow; who: Actor | undefined }) {
  const { view } = row
  if (!who || !maySee(view, who)) return null
  const next = nextStopOf(view, who)
  const stops = stopsOf(view).filter(({ name }) => name !== next?.name)
  if (stops.length === 0) return null
  return (
    <section aria-label="Find the door" className="card grid gap-4">
      <StopList stops={stops} heading="h2" />
    </section>
  )
}

// A job that was given back stays on its driver's phone until the server's row has come.
const maySee = (view: Delivery, who: Actor): boolean =>
  isPartyTo(view, who) || ('user' in who && isOffice(who.user))

export type Stop = { name: 'Pickup' | 'Drop-off'; zone: string; place: Place }

/** The stops that are described. */
export function stopsOf(view: Delivery): Stop[] {
  const stops: { name: Stop['name']; zone: string; place: Place | undefined }[] = [
    { name: 'Pickup', zone: view.pickupZone, place: view.pickupPlace },
    { name: 'Drop-off', zone: view.dropoffZone, place: view.dropoffPlace },
  ]
  return stops.flatMap(({ place, ...stop }) => (isPlace(place) ? [{ ...stop, place }] : []))
}

/** Where the driver goes next, if it is described: it stands in the task, and not again below. */
export function nextStopOf(view: Delivery, who: Actor | undefined): Stop | undefined {
  if (!who || !('user' in who) || !isDriverOf(view, who.user)) return undefined
  if (view.status !== 'Accepted' && view.status !== 'Picked Up') return undefined
  const next = view.status === 'Picked Up' && !view.returning ? 'Drop-off' : 'Pickup'
  return stopsOf(view).find(({ name }) => name === next)
}

type Heading = 'h2' | 'h3' | 'h4'

/** `heading`: the element of each stop's name, by the headings above it. */
export function StopList({ stops, heading }: { stops: readonly Stop[]; heading: Heading }) {
  return stops.map((stop) => <StopDetails key={stop.name} stop={stop} heading={heading} />)
}

function StopDetails({ stop, heading: Heading }: { stop: Stop; heading: Heading }) {
  const { name, zone, place } = stop
  const pin = pinOf(place)
  return (
    <div className="grid gap-1 [overflow-wrap:anywhere]">
      <Heading className="text-sm font-semibold text-soft">
        {name} · <Verbatim>{zone}</Verbatim>
      </Heading>
      {place.text && <strong>{place.text}</strong>}
      {place.note && <p>{place.note}</p>}
      {pin && <PinLinks name={name} pin={pin} />}
    </div>
  )
}

/** Where nothing opens a `geo:` address, as on most desktops, the coordinates can be copied. */
function PinLinks({ name, pin }: { name: Stop['name']; pin: Pin }) {
  const coordinates = `${pin.lat}, ${pin.lng}`
  return (
    <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
      <a
        href={mapAddress(pin)}
        aria-label={`Open map: ${name.toLowerCase()}`}
        className={buttonClass('line')}
      >
        <Icon name="pin" className="size-5 text-green" />
        Open map
      </a>
      <span className="flex items-center text-sm text-soft tabular-nums">
        {coordinates}
        <IconButton
          icon="copy"
          label={`Copy ${name.toLowerCase()} coordinates`}
          onClick={() => copyText(coordinates, `The ${name.toLowerCase()} pin`)}
        />
      </span>
    </div>
  )
}
