import { defaultQuiet, type NotificationChange } from '#domain/notifications/kinds.ts'
import type { NotificationSettings } from '#domain/users/notification-settings.ts'
import { SelectField } from '../../../components/forms/fields.tsx'
import { hourText } from '../../../texts/notification-texts.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)

/** The hours in which a driver hears of no new job (R120). */
export function QuietHours(props: {
  settings: NotificationSettings
  onChange: (change: (now: NotificationSettings) => NotificationChange) => unknown
}) {
  const { quiet = defaultQuiet } = props.settings
  const setHour = (side: 'from' | 'to') => (value: string) =>
    props.onChange((now) => ({ quiet: { ...(now.quiet ?? defaultQuiet), [side]: Number(value) } }))
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <p className="text-sm text-soft">
        New jobs: at most 5 notifications a day, and none while you have a job.
      </p>
      <div className="grid grid-cols-2 gap-3">
        <HourField label="Quiet from" hour={quiet.from} onChange={setHour('from')} />
        <HourField label="until" hour={quiet.to} onChange={setHour('to')} />
      </div>
    </div>
  )
}

function HourField(props: { label: string; hour: number; onChange: (hour: string) => unknown }) {
  return (
    <SelectField
      label={props.label}
      value={String(props.hour)}
      onChange={(e) => props.onChange(e.currentTarget.value)}
    >
      {hours.map((hour) => (
        <option key={hour} value={hour}>
          {hourText(hour)}
        </option>
      ))}
    </SelectField>
  )
}
