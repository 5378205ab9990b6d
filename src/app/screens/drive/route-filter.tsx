import { type FormEvent, useId, useState } from 'react'
import type { OfferedRoute } from '#store/deliveries/offered-route.ts'
import { Button } from '../../components/forms/button.tsx'
import { SelectField } from '../../components/forms/fields.tsx'
import { ZoneOptions } from '../../components/forms/zone-options.tsx'
import { useChoices } from '../../hooks/use-choices.ts'

const missing = 'Select Zones: Please select both your current and destination zones.'
const same = 'Invalid Zones: Current and destination zones cannot be the same.'

/** The form in which a driver chooses their route. */
export function RouteFilter(props: {
  route: OfferedRoute
  onChoose: (route: OfferedRoute) => Promise<unknown>
}) {
  const { route, onChoose } = props
  const zones = useChoices('zones')
  const [from, setFrom] = useState(route.pickupZone ?? '')
  const [to, setTo] = useState(route.dropoffZone ?? '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const problem = from === '' || to === '' ? missing : from === to ? same : undefined
  const error = isSubmitted ? problem : undefined
  const errorId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (problem) return
    void onChoose({ pickupZone: from, dropoffZone: to })
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4" aria-label="Your route">
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
      {error && (
        <p id={errorId} role="alert" className="text-sm font-semibold text-red">
          {error}
        </p>
      )}
      <div className="grid gap-2">
        <Button type="submit" icon="search">
          Find Deliveries
        </Button>
        {route.pickupZone !== undefined && (
          <Button look="line" onClick={() => void onChoose({})}>
            All routes
          </Button>
        )}
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
