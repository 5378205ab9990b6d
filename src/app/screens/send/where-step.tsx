import { suggestions } from '#store/queries/suggestions.ts'
import { wayGuideRef } from '#store/queries/way-guide.ts'
import { IconButton } from '../../components/forms/button.tsx'
import { Chips } from '../../components/forms/chips.tsx'
import { SelectField } from '../../components/forms/fields.tsx'
import { ZoneOptions } from '../../components/forms/zone-options.tsx'
import { Loading } from '../../components/page/skeleton.tsx'
import { useChoices } from '../../hooks/use-choices.ts'
import { useOwn, useWatch } from '../../hooks/use-live.ts'
import { FindDoor } from './place/place-fields.tsx'
import { WayMap } from './place/way-map.tsx'
import type { SendFormState } from './use-send-form.ts'

/** From where to where. */
export function WhereStep({ state }: { state: SendFormState }) {
  const { draft, bind, change } = state
  const zones = useChoices('zones')
  const found = useOwn(suggestions)
  // Asked for already here, so that it is there in the step of the price.
  useWatch(wayGuideRef({ from: draft.pickupZone, to: draft.dropoffZone }))
  // What it offers comes with the fields, not after them.
  if (!found) return <Loading />
  return (
    <>
      <Chips
        label="Recent routes"
        chips={found.routes.map(({ from, to }) => ({
          key: `${from}|${to}`,
          text: `${from} → ${to}`,
          onPick: () => change({ pickupZone: from, dropoffZone: to }),
        }))}
      />
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2">
        <div className="grid gap-4">
          <SelectField label="Pickup zone" {...bind('pickupZone')}>
            <Zones zones={zones} chosen={draft.pickupZone} />
          </SelectField>
          <SelectField label="Drop-off zone" {...bind('dropoffZone')}>
            <Zones zones={zones} chosen={draft.dropoffZone} />
          </SelectField>
        </div>
        <IconButton
          icon="swap"
          label="Swap the zones"
          onClick={() =>
            change({
              pickupZone: draft.dropoffZone,
              dropoffZone: draft.pickupZone,
              pickupPlace: draft.dropoffPlace,
              dropoffPlace: draft.pickupPlace,
            })
          }
        />
      </div>
      <div className="grid gap-3">
        <FindDoor side="pickup" state={state} />
        <FindDoor side="dropoff" state={state} />
      </div>
      {/* Last: it comes once both zones are chosen, and moves no field. */}
      <WayMap draft={draft} />
    </>
  )
}

/** The zones to choose from, and the chosen one where the list no longer has it. */
function Zones({ zones, chosen }: { zones: readonly string[]; chosen: string }) {
  const all = chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones]
  return (
    <>
      <option value="">Choose a zone</option>
      <ZoneOptions zones={all} />
    </>
  )
}
