import { type FormEvent, useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { OfferedRoute } from '#store/deliveries/offered-route.ts'
import { Button } from '../../components/forms/button.tsx'
import { SelectField } from '../../components/forms/fields.tsx'
import { useChoices } from '../../hooks/use-choices.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { toast } from '../../shell/toasts.ts'

const missing = {
  title: 'Select Zones',
  text: 'Please select both your current and destination zones.',
}
const same = {
  title: 'Invalid Zones',
  text: 'Current and destination zones cannot be the same.',
}

/** The driver's route; the chosen zones are in the address, and this device remembers them. */
export function RouteFilter(route: { from?: string; to?: string }) {
  const zones = useChoices('zones')
  const [, setSearch] = useSearchParams()
  const { commands } = useSoma()
  const [from, setFrom] = useState(route.from ?? '')
  const [to, setTo] = useState(route.to ?? '')
  const [isSubmitted, setIsSubmitted] = useState(false)
  const problem = from === '' || to === '' ? missing : from === to ? same : undefined
  const error = isSubmitted ? problem?.text : undefined
  const errorId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsSubmitted(true)
    if (problem) return toast({ ...problem, destructive: true })
    void choose({ pickupZone: from, dropoffZone: to })
  }
  const choose = async (chosen: OfferedRoute) => {
    await commands.rememberRoute(chosen)
    setSearch(chosen.pickupZone === undefined ? {} : { from, to })
  }
  return (
    <form noValidate onSubmit={submit} className="card grid gap-4" aria-label="Your route">
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
        <p id={errorId} className="text-sm font-semibold text-red">
          {error}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" icon="search" tight className="flex-1">
          Find Deliveries
        </Button>
        {route.from !== undefined && (
          <Button look="line" tight onClick={() => void choose({})}>
            Show all
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
      {props.zones.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </SelectField>
  )
}
