import { useId, useState } from 'react'
import { Button } from '../../../components/forms/button.tsx'
import { ZoneOptions } from '../../../components/forms/zone-options.tsx'
import { Icon } from '../../../components/text/icon.tsx'
import { useChoices } from '../../../hooks/use-choices.ts'
import { useAddress } from '../list/use-address.ts'

export const filterNames = ['pickupZone', 'dropoffZone', 'createdFrom', 'createdTo'] as const
type FilterName = (typeof filterNames)[number]

const control =
  'min-h-11 w-full rounded-control border-[1.5px] border-edge bg-card px-3 text-base lg:w-auto'

/** Route and days, kept in the address. On a phone they stand behind one button. */
export function DeliveryFilters() {
  const [params, change] = useAddress()
  const [isShown, setShown] = useState(false)
  const zones = useChoices('zones')
  const panel = useId()
  const [from, to] = [params.get('createdFrom'), params.get('createdTo')]
  const set = filterNames.filter((name) => params.get(name)).length
  const field = (name: FilterName) => ({
    value: params.get(name) ?? '',
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
    className: control,
  })
  const zone = (name: FilterName, label: string, any: string) => (
    <label className="grid gap-1">
      <span className="text-sm text-soft">{label}</span>
      <select {...field(name)}>
        <option value="">{any}</option>
        <ZoneOptions zones={zones} />
      </select>
    </label>
  )
  const day = (name: FilterName, label: string) => (
    <label className="grid gap-1">
      <span className="text-sm text-soft">{label}</span>
      <input type="date" min="2020-01-01" max="2999-12-31" {...field(name)} />
    </label>
  )
  return (
    <div className="grid gap-2">
      <Button
        look="line"
        className="justify-self-start lg:hidden"
        aria-expanded={isShown}
        aria-controls={panel}
        onClick={() => setShown(!isShown)}
      >
        <Icon name="list" className="size-5" />
        Filters{set > 0 && ` (${set})`}
      </Button>
      <div
        id={panel}
        className={`${isShown ? 'grid' : 'hidden'} grid-cols-2 items-end gap-2 lg:flex lg:flex-wrap`}
      >
        {zone('pickupZone', 'Pickup zone', 'Any')}
        {zone('dropoffZone', 'Drop-off zone', 'Any')}
        {day('createdFrom', 'Created from')}
        {day('createdTo', 'Created to')}
        {from && to && from > to && (
          <p role="alert" className="col-span-2 self-center text-sm font-semibold text-red">
            The first day is after the last one.
          </p>
        )}
        {set > 0 && (
          <Button
            look="line"
            className="col-span-2"
            onClick={() => change(Object.fromEntries(filterNames.map((name) => [name, ''])))}
          >
            Clear filters
          </Button>
        )}
      </div>
    </div>
  )
}
