import { type FormEvent, useState } from 'react'
import type { OfficeSettings, SettingsChange } from '#domain/office/settings.ts'
import { changedSettings } from '#store/queries/admin/changed-settings.ts'
import { attempt } from '../../../browser/attempt.ts'
import { Button } from '../../../components/forms/button.tsx'
import { TextAreaField, TextField } from '../../../components/forms/fields.tsx'
import { Skeleton } from '../../../components/page/skeleton.tsx'
import { Tag } from '../../../components/text/tag.tsx'
import { isUnavailable, useListState } from '../../../hooks/lists/use-list-state.ts'
import { useOwn } from '../../../hooks/use-live.ts'
import { useSoma } from '../../../hooks/use-soma.ts'

/** What the office says to everybody, when it takes requests, and how it is reached (R204, R205). Works without signal. */
export function OfficeCard() {
  const list = useListState({ kind: 'adminSettings' }, 'Failed to load data')
  const found = useOwn(changedSettings)
  return (
    <section className="card grid gap-4 lg:col-span-2" aria-label="Office">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2>Office</h2>
        {found?.isUnsent && <Tag tone="unsent">Not sent yet</Tag>}
      </div>
      {found ? (
        // What another admin saves fills the form anew.
        <OfficeForm key={JSON.stringify(found.settings)} settings={found.settings} />
      ) : isUnavailable(list) ? (
        <p className="py-3 text-soft">
          {list.is === 'unreachable'
            ? "Not available offline. The settings come when you're back online."
            : 'Temporarily unavailable. We have a problem on our side and keep trying.'}
        </p>
      ) : (
        <div role="status" aria-label="Loading the settings">
          <Skeleton className="h-40" />
        </div>
      )}
    </section>
  )
}

function OfficeForm({ settings }: { settings: OfficeSettings }) {
  const { commands } = useSoma()
  const before = typedOf(settings)
  const [typed, setTyped] = useState(before)
  const isHalf = (typed.opens === '') !== (typed.closes === '')
  const change = changeOf(before, typed)
  const isChanged = Object.keys(change).length > 0
  const field = (name: keyof Typed) => ({
    value: typed[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setTyped({ ...typed, [name]: target.value }),
  })

  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isChanged && !isHalf) await attempt('Error', () => commands.changeSettings(change))
  }
  return (
    <form className="grid gap-4 lg:grid-cols-2" onSubmit={save}>
      <TextAreaField
        label="Announcement on Home"
        rows={2}
        maxLength={300}
        {...field('announcement')}
      />
      <div className="grid content-start gap-4">
        <TextField label="Support phone" inputMode="tel" autoComplete="off" {...field('phone')} />
        <TextField
          label="WhatsApp number"
          inputMode="tel"
          autoComplete="off"
          {...field('whatsapp')}
        />
        <TextField
          label="No new requests until"
          type="datetime-local"
          hint="Requests that are sent meanwhile wait until then."
          {...field('pause')}
        />
      </div>
      <div className="grid grid-cols-2 content-start gap-3">
        <TextField label="Opens at" type="time" {...field('opens')} />
        <TextField
          label="Closes at"
          type="time"
          error={isHalf ? 'Opening hours need both.' : undefined}
          {...field('closes')}
        />
      </div>
      <TextField
        label="Address of the terms"
        inputMode="url"
        autoComplete="off"
        hint="Shown where the text below is empty."
        {...field('termsUrl')}
      />
      <TextAreaField label="Terms of service" rows={4} maxLength={10_000} {...field('terms')} />
      <TextAreaField
        label="Privacy: what you add"
        rows={4}
        maxLength={10_000}
        hint="Stands above what the app says of stored data."
        {...field('privacy')}
      />
      <Button type="submit" className="self-end" disabled={!isChanged || isHalf}>
        Save
      </Button>
    </form>
  )
}

/** Times are Ghana's, which are UTC, without a zone as the fields have them; empty where nothing is set. */
const texts = ['announcement', 'whatsapp', 'termsUrl', 'terms', 'privacy'] as const
type Typed = Record<(typeof texts)[number] | 'phone' | 'pause' | 'opens' | 'closes', string>

const typedOf = ({
  supportPhone,
  pausedUntil,
  openingHours,
  ...settings
}: OfficeSettings): Typed => ({
  ...(Object.fromEntries(texts.map((name) => [name, settings[name] ?? ''])) as Record<
    (typeof texts)[number],
    string
  >),
  phone: supportPhone ?? '',
  pause: pausedUntil && Date.parse(pausedUntil) > Date.now() ? pausedUntil.slice(0, 16) : '',
  opens: openingHours?.from ?? '',
  closes: openingHours?.to ?? '',
})

/** What was typed anew; null removes what was emptied. */
function changeOf(before: Typed, typed: Typed): SettingsChange {
  const isNew = (name: keyof Typed) => typed[name].trim() !== before[name]
  const textIn = (name: keyof Typed) => typed[name].trim() || null
  const until = textIn('pause')
  const { opens: from, closes: to } = typed
  return {
    ...Object.fromEntries(texts.filter(isNew).map((name) => [name, textIn(name)])),
    ...(isNew('phone') ? { supportPhone: textIn('phone') } : {}),
    ...(isNew('pause') ? { pausedUntil: until && `${until}:00.000Z` } : {}),
    ...(isNew('opens') || isNew('closes')
      ? { openingHours: from && to ? { from, to } : null }
      : {}),
  }
}
