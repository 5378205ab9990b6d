import { type FormEvent, useId, useState } from 'react'
import type { Way } from '#domain/zones/on-the-way.ts'
import type { Offered } from '#store/deliveries/offered-route.ts'
import { ownCommutes } from '#store/queries/account/own-commutes.ts'
import { Button, ButtonLink } from '../../components/forms/button.tsx'
import { Chips } from '../../components/forms/chips.tsx'
import { SelectField } from '../../components/forms/fields.tsx'
import { ZoneOptions } from '../../components/forms/zone-options.tsx'
import { useChoices } from '../../hooks/use-choices.ts'
import { useLive } from '../../hooks/use-live.ts'
import { commutesPath } from '../../paths.ts'

const missing = 'Select Zones: Please select both your current and destination zones.'
const same = 'Invalid Zones: Current and destination zones cannot be the same.'

const detours = [0, 1, 2, 3, 5, 10]

/** The form in which a driver chooses their way: one of their commutes, or two zones. */
export function RouteFilter(props: {
  way: Way | undefined
  onChoose: (offered: Offered) => Promise<unknown>
}) {
  const { way, onChoose } = props
  const zones = useChoices('zones')
  const commutes = useLive(ownCommutes)?.commutes ?? []
  // Not those from or to any zone, nor to one that has left the list.
  const trips = commutes.filter(({ from, to }) => zones.includes(from) && zones.includes(to))
  const [from, setFrom] = useState(way?.from ?? '')
  const [to, setTo] = useState(way?.to ?? '')
  const [detour, setDetour] = useState(way?.detour)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const problem = from === '' || to === '' ? missing : from === to ? same : undefined
  const error = isSubmitted ? problem : undefined
  const errorId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (problem) return
    void onChoose({ from, to, ...(detour === undefined ? {} : { detour }) })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4" aria-label="Your way">
      <Chips
        label="Your commutes"
        chips={trips.map((trip) => ({
          key: JSON.stringify(trip),
          text: `${trip.from} → ${trip.to}`,
          onPick: () => void onChoose({ from: trip.from, to: trip.to }),
        }))}
      />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] items-end gap-3">
        <Zone
          label="Current zone"
          zones={zones}
          value={from}
          onChange={setFrom}
          error={from === '' || from === to ? error : undefined}
          saidBy={errorId}
        />
        <Zone
          label="Destination zone"
          zones={zones}
          value={to}
          onChange={setTo}
          error={to === '' || from === to ? error : undefined}
          saidBy={errorId}
        />
      </div>
      <SelectField
        label="Longest detour"
        value={detour ?? ''}
        onChange={({ target: { value } }) => setDetour(value === '' ? undefined : Number(value))}
      >
        <option value="">2 km, or a quarter of the way</option>
        {detours.map((km) => (
          <option key={km} value={km}>
            {km} km
          </option>
        ))}
      </SelectField>
      {error && (
        <p id={errorId} role="alert" className="text-sm font-semibold text-red">
          {error}
        </p>
      )}
      <div className="grid gap-2">
        <Button type="submit" icon="search">
          Find Deliveries
        </Button>
        <ButtonLink look="ghost" to={commutesPath}>
          {commutes.length > 0 ? 'Change your commutes' : 'Add a commute'}
        </ButtonLink>
      </div>
    </form>
  )
}

function Zone(props: {
  label: string
  zones: readonly string[]
  value: string
  error?: string
  saidBy: string
  onChange: (zone: string) => void
}) {
  return (
    <SelectField
      label={props.label}
      value={props.value}
      error={props.error}
      errorId={props.saidBy}
      onChange={(event) => props.onChange(event.target.value)}
    >
      <option value="">Choose</option>
      <ZoneOptions zones={props.zones} />
    </SelectField>
  )
}
