import { useId, useRef, useState } from 'react'
import type { Side } from '#domain/deliveries/draft.ts'
import { farFrom } from '#domain/deliveries/places/far-from-zone.ts'
import { pinOf, placeOf, placeProblems, type TypedPlace } from '#domain/deliveries/places/place.ts'
import { TextField } from '../../../components/forms/fields.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { Notice } from '../../../components/text/notice.tsx'
import type { SendFormState } from '../use-send-form.ts'
import { PinField } from './pin-field.tsx'
import { distanceText } from './position-text.ts'
import { RecentPlaces } from './recent-places.tsx'

const names = { pickup: 'pickup', dropoff: 'drop-off' }

/** Where one door is: a landmark, a note for the driver and a pin (R112). Folded up until it is needed. */
export function FindDoor({ side, state }: { side: Side; state: SendFormState }) {
  const id = useId()
  const toggle = useRef<HTMLButtonElement>(null)
  const [isUnfolded, setUnfolded] = useState(false)
  const place = state.draft[`${side}Place`]
  // What is wrong must be seen.
  const isOpen = isUnfolded || placeProblems(place).length > 0
  const name = names[side]
  return (
    <section
      aria-label={`The ${name} door`}
      className="grid gap-3 rounded-control border-[1.5px] border-line p-1.5"
    >
      <button
        ref={toggle}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setUnfolded(!isOpen)}
        className="flex min-h-12 items-center gap-2.5 px-2 text-left"
      >
        <Icon name="pin" className="size-5 text-green" />
        <span className="grid min-w-0 flex-1">
          <strong>Find the {name} door</strong>
          {!isOpen && (
            <span className="line-clamp-2 text-sm text-soft [overflow-wrap:anywhere]">
              {summaryOf(place) ?? 'Optional: a landmark, GhanaPostGPS or a pin'}
            </span>
          )}
        </span>
        <Icon name={isOpen ? 'close' : 'plus'} className="size-5 text-soft" />
      </button>
      <FarPin place={place} zone={state.draft[`${side}Zone`]} />
      <div id={id} className={isOpen ? 'grid gap-4 px-2 pb-2' : 'hidden'}>
        {isOpen && (
          <Fields
            side={side}
            state={state}
            onPicked={() => {
              setUnfolded(false)
              toggle.current?.focus()
            }}
          />
        )}
      </div>
    </section>
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
  const pin = pinOf(place ?? {})
  const metres = pin && farFrom(pin, zone)
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
