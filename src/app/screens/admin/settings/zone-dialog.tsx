import { type FormEvent, useId, useRef, useState } from 'react'
import { changeZone } from '#domain/zones/change-zone.ts'
import type { Zone } from '#domain/zones/zone.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Dialog } from '../../../components/dialogs/dialog.tsx'
import { Button, IconButton } from '../../../components/forms/button.tsx'
import { SelectField, TextField } from '../../../components/forms/fields.tsx'
import { ZoneOptions } from '../../../components/forms/zone-options.tsx'
import { ZoneMap } from '../../../components/map/zone-map.tsx'
import { useSoma } from '../../../hooks/use-soma.ts'
import { LongerRoads } from './road-notice.tsx'
import { changeOf, typedZone } from './typed-zone.ts'

/** Where a zone is, by a tap on the map or typed, and the roads to its neighbours (R165). Works without signal. */
export function ZoneDialog(props: { zone: Zone; zones: readonly Zone[]; onClose: () => void }) {
  const { zone, zones, onClose } = props
  const { commands } = useSoma()
  const [typed, setTyped] = useState(() => typedZone(zone))
  const { change, problems } = changeOf(typed, zone, zones)
  const problem = useId()
  const add = useRef<HTMLSelectElement>(null)
  const after = changeZone(zones, zone.ID, change)
  const isOther = ({ Name }: Zone) =>
    Name !== zone.Name && !typed.roads.some(({ to }) => to === Name)
  const setKm = (to: string, km: string) =>
    setTyped({ ...typed, roads: typed.roads.map((road) => (road.to === to ? { to, km } : road)) })

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (problems.length > 0) return
    const isChanged = Object.keys(change).length > 0
    if (!isChanged || (await attempt('Error', () => commands.changeZone(zone.ID, change))))
      onClose()
  }
  return (
    <Dialog title={zone.Name} onClose={onClose}>
      <form className="grid gap-4" onSubmit={save}>
        <ZoneMap
          zones={after}
          marked={zone.Name}
          onPick={({ lat, lng }) => setTyped({ ...typed, lat: `${lat}`, lng: `${lng}` })}
        />
        <p className="text-sm text-soft">Tap the map to set the centre, or type its position.</p>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
          {(['lat', 'lng'] as const).map((axis) => (
            <TextField
              key={axis}
              label={axis === 'lat' ? 'Latitude' : 'Longitude'}
              inputMode="text"
              autoComplete="off"
              value={typed[axis]}
              onChange={(event) => setTyped({ ...typed, [axis]: event.target.value })}
            />
          ))}
        </div>
        <ul className="grid gap-2" aria-label="Roads">
          {typed.roads.map(({ to, km }) => (
            <li key={to} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-2">
              <TextField
                // The field of a road that was just added.
                autoFocus={km === ''}
                label={`${to}, km`}
                inputMode="decimal"
                autoComplete="off"
                value={km}
                onChange={(event) => setKm(to, event.target.value)}
              />
              <IconButton
                icon="bin"
                label={`Remove the road to ${to}`}
                onClick={() => {
                  setTyped({ ...typed, roads: typed.roads.filter((road) => road.to !== to) })
                  add.current?.focus()
                }}
              />
            </li>
          ))}
        </ul>
        <SelectField
          ref={add}
          label="Add a road to"
          value=""
          onChange={({ target }) =>
            target.value &&
            setTyped({ ...typed, roads: [...typed.roads, { to: target.value, km: '' }] })
          }
        >
          <option value="">Choose a zone</option>
          <ZoneOptions zones={zones.filter(isOther).map(({ Name }) => Name)} />
        </SelectField>
        <div role="status" id={problem} className="grid gap-2">
          {problems.map((text) => (
            <p key={text} className="text-sm font-semibold text-red">
              {text}
            </p>
          ))}
          <LongerRoads zones={after} of={zone.Name} />
        </div>
        <Button type="submit" aria-disabled={problems.length > 0} aria-describedby={problem}>
          Save
        </Button>
      </form>
    </Dialog>
  )
}
