import { useEffect, useState } from 'react'
import type { Commute } from '#domain/users/commute.ts'
import { anyZone, everyDay } from '#domain/users/commutes.ts'
import { Button } from '../../../components/forms/button.tsx'
import { SelectField, TextField } from '../../../components/forms/fields.tsx'
import { Switch } from '../../../components/forms/switch.tsx'
import { ZoneOptions } from '../../../components/forms/zone-options.tsx'
import { useForm } from '../../../hooks/forms/use-form.ts'
import { focusField } from '../../../hooks/forms/use-touched-fields.ts'
import { useChoices } from '../../../hooks/use-choices.ts'
import { dayText } from '../../../texts/way/commute-texts.ts'

const empty: Commute = { from: '', to: '', days: [1, 2, 3, 4, 5], notify: true }

type Typed = Record<'from' | 'to' | 'days' | 'leaves' | 'returns', string>

const problemsOf = ({ from, to, days }: Typed) => ({
  from: from === '' ? 'Choose where you start.' : undefined,
  to:
    to === ''
      ? 'Choose where you go.'
      : to === from && to !== anyZone
        ? 'Current and destination zones cannot be the same.'
        : undefined,
  days: days === '' ? 'Choose one or more days.' : undefined,
})

/** Zones, days and times of one commute (R166); an empty time is none. `days` are kept as digits: `12345`. */
export function CommuteForm(props: {
  commute?: Commute
  /** Why this device hears of nothing, where it does not. */
  hint?: string
  /** Whether it was saved. */
  onSave: (commute: Commute) => Promise<boolean>
  onClose: () => void
}) {
  const { commute = empty } = props
  const [notify, setNotify] = useState(commute.notify)
  const { values, set, bind, submit, busy, form } = useForm(
    {
      from: commute.from,
      to: commute.to,
      days: commute.days.join(''),
      leaves: commute.leaves ?? '',
      returns: commute.returns ?? '',
    },
    problemsOf,
  )
  // What opened it is gone.
  useEffect(() => void focusField(form.current, 'from'), [form])
  const save = async () => {
    const { from, to, leaves, returns } = values
    const days = everyDay.filter((day) => values.days.includes(`${day}`))
    const times = { ...(leaves ? { leaves } : {}), ...(returns ? { returns } : {}) }
    if (await props.onSave({ from, to, days, ...times, notify })) props.onClose()
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label="Commute"
      onSubmit={submit(save)}
      className="grid gap-4 rounded-control border border-line p-3"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <ZoneField label="From" {...bind('from')} />
        <ZoneField label="To" {...bind('to')} />
      </div>
      <Days {...bind('days')} onDays={(days) => set('days', days)} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,7rem),1fr))] gap-3">
        <TextField label="Leave at" type="time" {...bind('leaves')} />
        <TextField label="Back at" type="time" {...bind('returns')} />
      </div>
      <p className="text-sm text-soft">
        Leave a time empty if it changes. With times you hear of jobs in the two hours before.
      </p>
      <div>
        <Switch label="Tell me of new jobs on this way" isOn={notify} onChange={setNotify} />
        {notify && props.hint && <p className="text-sm text-soft">{props.hint}</p>}
      </div>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button type="submit" disabled={busy}>
          Save
        </Button>
        <Button look="line" onClick={props.onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function ZoneField(props: React.ComponentProps<typeof SelectField>) {
  const zones = useChoices('zones')
  const value = `${props.value}`
  // A zone that has left the list stays in the commute that names it.
  const isGone = value !== '' && value !== anyZone && !zones.includes(value)
  return (
    <SelectField {...props}>
      <option value="" disabled>
        Choose a zone
      </option>
      <option value={anyZone}>Any zone</option>
      <ZoneOptions zones={isGone ? [value, ...zones] : zones} />
    </SelectField>
  )
}

function Days(props: {
  name: string
  value: string
  error?: string
  onDays: (days: string) => void
}) {
  const { value } = props
  return (
    <fieldset className="grid gap-1.5" aria-describedby={props.error && 'days-error'}>
      <legend className="text-sm font-semibold">Days</legend>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(2.75rem,1fr))] gap-1.5 pt-1.5">
        {everyDay.map((day) => {
          const isOn = value.includes(`${day}`)
          return (
            <button
              key={day}
              type="button"
              name={props.name}
              aria-pressed={isOn}
              onClick={() => props.onDays(isOn ? value.replace(`${day}`, '') : `${value}${day}`)}
              className="min-h-11 rounded-full border-[1.5px] border-edge bg-card px-1 text-sm font-bold aria-pressed:border-green aria-pressed:bg-green aria-pressed:text-on-green"
            >
              {dayText(day)}
            </button>
          )
        })}
      </div>
      {props.error && (
        <p id="days-error" className="text-sm font-semibold text-red">
          {props.error}
        </p>
      )}
    </fieldset>
  )
}
