import type { Side } from '#domain/deliveries/draft.ts'
import { farFrom } from '#domain/deliveries/places/far-from-zone.ts'
import { pinOf, placeOf, placeProblems, type TypedPlace } from '#domain/deliveries/places/place.ts'
import { zones } from '#store/queries/queries.ts'
import { TextField } from '../../../components/forms/fields.tsx'
import { OptionalPart } from '../../../components/forms/optional-part.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import { useLive } from '../../../hooks/use-live.ts'
import type { SendFormState } from '../use-send-form.ts'
import { PinField } from './pin-field.tsx'
import { distanceText } from './position-text.ts'
import { RecentPlaces } from './recent-places.tsx'

const names = { pickup: 'pickup', dropoff: 'drop-off' }

/** Where one door is: a landmark, a note for the driver and a pin (R112). Folded up until it is needed. */
export function FindDoor({ side, state }: { side: Side; state: SendFormState }) {
  const place = state.draft[`${side}Place`]
  const name = names[side]
  return (
    <OptionalPart
      label={`The ${name} door`}
      icon="pin"
      title={`Find the ${name} door`}
      summary={summaryOf(place) ?? 'Optional: a landmark, GhanaPostGPS or a pin'}
      isWrong={placeProblems(place).length > 0}
      notice={<FarPin place={place} zone={state.draft[`${side}Zone`]} />}
    >
      {(fold) => <Fields side={side} state={state} onPicked={fold} />}
    </OptionalPart>
  )
}

type FieldsProps = { side: Side; state: SendFormState; onPicked: () => void }

function Fields({ side, state, onPicked }: FieldsProps) {
  const zone = state.draft[`${side}Zone`]
  return (
    <>
      <RecentPlaces
        zone={zone}
        onPick={(recent) => {
          state.change({ [`${side}Place`]: recent.place, [`${side}Zone`]: zone || recent.zone })
          onPicked()
        }}
      />
      <TextField
        label="Landmark or GhanaPostGPS"
        autoComplete="off"
        placeholder="Blue gate opposite Shell"
        {...state.bindPlace(side, 'text')}
      />
      <TextField
        label="Note for the driver"
        autoComplete="off"
        placeholder="Call at the gate"
        {...state.bindPlace(side, 'note')}
      />
      <PinField
        place={state.draft[`${side}Place`]}
        onChange={(pin) => state.changePlace(side, pin)}
      />
    </>
  )
}

/** A pin far from its zone may be right, and may be of where the person is now. */
function FarPin({ place, zone }: { place: TypedPlace | undefined; zone: string }) {
  const centre = useLive(zones)?.find(({ Name }) => Name === zone)
  const pin = pinOf(place ?? {})
  const metres = pin && farFrom(pin, centre)
  return (
    <div role="status">
      {metres !== undefined && (
        <Notice title={`This pin is far from ${zone}`}>
          <p className="text-sm">
            About {distanceText(metres)} away. Check the zone and the pin. You can still continue.
          </p>
        </Notice>
      )}
    </div>
  )
}

function summaryOf(typed: TypedPlace | undefined): string | undefined {
  const place = placeOf(typed)
  if (!place) return undefined
  const words = [place.text, place.note, pinOf(place) && 'Pin added']
  return words.filter(Boolean).join(' · ')
}
