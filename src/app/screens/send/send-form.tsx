import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { type DraftField, emptyDraft, type SendDraft, validateDraft } from '#domain/draft.ts'
import { normalizePhone } from '#domain/phone.ts'
import { afterClick } from '../../browser/after-click.ts'
import { attempt } from '../../browser/attempt.ts'
import { LocalPhoto } from '../../components/delivery/photo.tsx'
import { Button } from '../../components/forms/button.tsx'
import { phoneInputProps, SelectField, TextField } from '../../components/forms/fields.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { useChoices } from '../../hooks/use-choices.ts'
import { useSoma } from '../../hooks/use-soma.ts'
import { useVisitor } from '../../hooks/use-visitor.ts'
import { roomPath } from '../../paths.ts'
import { toast } from '../../shell/toasts.ts'
import { ItemField } from './item-field.tsx'
import { useDraftSaver } from './use-draft-saver.ts'

type Mode = 'guest' | 'account'

// What comes after the form comes along with it: there may be no network any more once it is filled in.
import('../room/page.tsx').catch(() => {})

/** The request itself. What is typed is on the phone's disk at once, and stays until it is asked for. */
export function SendForm({ mode, kept }: { mode: Mode; kept: SendDraft | null }) {
  const { commands, prefetch } = useSoma()
  useEffect(prefetch, [prefetch])
  const { user } = useVisitor()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const zones = useChoices('zones')
  const keeper = useDraftSaver()
  const [draft, setDraft] = useState<SendDraft>(() => ({
    ...emptyDraft,
    senderName: user?.name ?? '',
    senderPhone: user?.phone_number ?? '',
    ...(keeper.left() ?? kept),
  }))
  const [left, setLeft] = useState<ReadonlySet<DraftField>>(new Set())
  const [busy, setBusy] = useState(false)

  // A photo takes seconds to shrink: what was typed meanwhile must not be lost when it is ready.
  const latest = useRef(draft)
  const change = (part: Partial<SendDraft>) => {
    latest.current = { ...latest.current, ...part }
    setDraft(latest.current)
    keeper.keep(latest.current)
  }
  /** The work on a picked photo while it lasts; resolves to whether the photo was taken. */
  const photoWork = useRef<Promise<boolean>>(undefined)
  const problems = validateDraft(draft, mode)
  /** A field's own problem, once the person has left it. */
  const errorOf = (field: DraftField) =>
    left.has(field) ? problems.find((problem) => problem.field === field)?.text : undefined
  const leave = (...fields: DraftField[]) => setLeft((seen) => new Set([...seen, ...fields]))
  const bind = (field: Exclude<DraftField, 'photo'>) => ({
    name: field,
    value: draft[field],
    error: errorOf(field),
    onBlur: () => afterClick(() => leave(field)),
  })

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await request()
    setBusy(false)
  }

  /** Waits for a photo that is still being prepared: the request must not leave with the one before it. */
  const request = async () => {
    if ((await photoWork.current) === false) return
    const asked = latest.current
    const problems = validateDraft(asked, mode)
    const first = problems[0]
    if (first) {
      leave(...problems.map(({ field }) => field))
      toast({ title: first.title, text: first.text, destructive: true })
      const field = form.current?.elements.namedItem(first.field)
      if (field instanceof HTMLElement) field.focus()
      else form.current?.querySelector('fieldset')?.scrollIntoView({ block: 'center' })
      return
    }
    await keeper.stop()
    const done = await attempt('Request Failed', async () => {
      const id = await commands.requestDelivery(asked, mode)
      navigate(roomPath(id))
    })
    if (!done) keeper.keep(asked)
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="card grid gap-5 sm:p-6">
      {mode === 'guest' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Your name"
            autoComplete="name"
            {...bind('senderName')}
            onChange={(event) => change({ senderName: event.target.value })}
          />
          <TextField
            label="Your phone"
            autoComplete="tel-national"
            {...phoneInputProps}
            {...bind('senderPhone')}
            onChange={(event) => change({ senderPhone: normalizePhone(event.target.value) })}
          />
        </div>
      )}
      <ItemField
        value={draft.itemDescription}
        error={errorOf('itemDescription')}
        onBlur={() => afterClick(() => leave('itemDescription'))}
        onChange={(itemDescription) => change({ itemDescription })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          label="Pickup zone"
          {...bind('pickupZone')}
          onChange={(event) => change({ pickupZone: event.target.value })}
        >
          <Zones zones={zones} chosen={draft.pickupZone} />
        </SelectField>
        <SelectField
          label="Drop-off zone"
          {...bind('dropoffZone')}
          onChange={(event) => change({ dropoffZone: event.target.value })}
        >
          <Zones zones={zones} chosen={draft.dropoffZone} />
        </SelectField>
        <TextField
          label="Recipient name"
          autoComplete="off"
          {...bind('recipientName')}
          onChange={(event) => change({ recipientName: event.target.value })}
        />
        <TextField
          label="Recipient phone"
          autoComplete="off"
          {...phoneInputProps}
          {...bind('recipientPhone')}
          onChange={(event) => change({ recipientPhone: normalizePhone(event.target.value) })}
        />
      </div>
      <TextField
        label="Offer (₵)"
        inputMode="decimal"
        autoComplete="off"
        placeholder="60"
        hint="What you pay the driver, in cedis. It is released only when you confirm."
        {...bind('offer')}
        onChange={(event) =>
          change({ offer: event.target.value.replace(',', '.').replace(/[^\d.]/g, '') })
        }
      />
      <PhotoPicker
        label="Item photo"
        hint="Kept on this phone and sent with your request."
        error={errorOf('photo')}
        preview={
          draft.photo && (
            <LocalPhoto
              id={draft.photo}
              alt="Your item"
              className="h-44 w-full rounded-control object-cover"
            />
          )
        }
        beforeOpen={() => keeper.keep(draft)}
        onPhoto={async ({ bytes, type }) =>
          change({ photo: await commands.keepPhoto(bytes, type) })
        }
        onPicked={async (taken) => {
          photoWork.current = taken
          await taken
          photoWork.current = undefined
        }}
      />
      <Button type="submit" disabled={busy} className="min-h-14 text-lg">
        Request Delivery
      </Button>
    </form>
  )
}

/** A zone chosen before the list changed stays to be seen, so that nothing changes unnoticed. */
function Zones({ zones, chosen }: { zones: readonly string[]; chosen: string }) {
  const all = chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones]
  return (
    <>
      <option value="">Choose a zone</option>
      {all.map((zone) => (
        <option key={zone}>{zone}</option>
      ))}
    </>
  )
}
