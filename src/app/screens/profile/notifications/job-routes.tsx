import { useState } from 'react'
import {
  defaultQuiet,
  maxNotifiedRoutes,
  type NotificationChange,
} from '#domain/notifications/kinds.ts'
import type { NotificationSettings, NotifiedRoute } from '#domain/users/notification-settings.ts'
import { Button, IconButton } from '../../../components/forms/button.tsx'
import { SelectField } from '../../../components/forms/fields.tsx'
import { ZoneOptions } from '../../../components/forms/zone-options.tsx'
import { useChoices } from '../../../hooks/use-choices.ts'
import { hourText } from '../../../texts/notification-texts.ts'

const hours = Array.from({ length: 24 }, (_, hour) => hour)
const nameOf = (zone: string) => (zone === '*' ? 'Any zone' : zone)
const keyOf = ({ from, to }: NotifiedRoute) => `${from}|${to}`

const without = (routes: NotifiedRoute[] = [], route: NotifiedRoute) =>
  routes.filter((each) => keyOf(each) !== keyOf(route))

/** The routes whose new jobs a driver hears of, and the hours in which they do not (R120). */
export function JobRoutes(props: {
  settings: NotificationSettings
  onChange: (change: (now: NotificationSettings) => NotificationChange) => unknown
}) {
  const { routes = [], quiet = defaultQuiet } = props.settings
  const setHour = (side: 'from' | 'to') => (value: string) =>
    props.onChange((now) => ({ quiet: { ...(now.quiet ?? defaultQuiet), [side]: Number(value) } }))
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <div className="grid gap-1">
        <h3 className="font-bold">Routes for new jobs</h3>
        <p className="text-sm text-soft">
          At most 5 notifications a day, and none while you have a job.
        </p>
      </div>
      {routes.length > 0 && (
        <ul className="grid gap-1">
          {routes.map((route) => (
            <li key={keyOf(route)} className="flex items-center justify-between gap-2">
              <span translate="no">
                {nameOf(route.from)} to {nameOf(route.to)}
              </span>
              <IconButton
                icon="close"
                label={`Remove ${nameOf(route.from)} to ${nameOf(route.to)}`}
                onClick={() => props.onChange((now) => ({ routes: without(now.routes, route) }))}
              />
            </li>
          ))}
        </ul>
      )}
      {routes.length < maxNotifiedRoutes && (
        <AddRoute
          has={(route) => routes.some((each) => keyOf(each) === keyOf(route))}
          onAdd={(route) =>
            props.onChange((now) => ({ routes: [...without(now.routes, route), route] }))
          }
        />
      )}
      <div className="grid grid-cols-2 gap-3">
        <HourField label="Quiet from" hour={quiet.from} onChange={setHour('from')} />
        <HourField label="until" hour={quiet.to} onChange={setHour('to')} />
      </div>
    </div>
  )
}

function AddRoute(props: {
  has: (route: NotifiedRoute) => boolean
  onAdd: (route: NotifiedRoute) => unknown
}) {
  const zones = useChoices('zones')
  const [from, setFrom] = useState('*')
  const [to, setTo] = useState('*')
  const route = { from, to }
  const isSame = from !== '*' && from === to
  const choices = (
    <>
      <option value="*">{nameOf('*')}</option>
      <ZoneOptions zones={zones} />
    </>
  )
  return (
    <div className="grid grid-cols-2 gap-3">
      <SelectField label="From" value={from} onChange={(e) => setFrom(e.currentTarget.value)}>
        {choices}
      </SelectField>
      <SelectField label="To" value={to} onChange={(e) => setTo(e.currentTarget.value)}>
        {choices}
      </SelectField>
      <Button
        look="line"
        icon="plus"
        className="col-span-2"
        disabled={isSame || props.has(route)}
        onClick={() => props.onAdd(route)}
      >
        Add route
      </Button>
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
