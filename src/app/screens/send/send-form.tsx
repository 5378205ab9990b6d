import type { SendDraft } from '#domain/deliveries/draft.ts'
import { normalizePhone } from '#domain/users/phone.ts'
import { LocalPhoto } from '../../components/delivery/photo.tsx'
import { Button } from '../../components/forms/button.tsx'
import { PhoneField, SelectField, TextField } from '../../components/forms/fields.tsx'
import { PhotoPicker } from '../../components/forms/photo-picker.tsx'
import { Notice } from '../../components/text/notice.tsx'
import { useChoices } from '../../hooks/use-choices.ts'
import { preloadRoom } from '../room/preload.ts'
import { ItemField } from './item-field.tsx'
import { type Mode, type SendFormState, useSendForm } from './use-send-form.ts'

preloadRoom()

type Props = { state: SendFormState }

/** The request form. The draft is saved as it is typed, and stays until it is submitted. */
export function SendForm({ mode, saved }: { mode: Mode; saved: SendDraft | null }) {
  const state = useSendForm(mode, saved)
  const { form, draft, busy, bind } = state
  return (
    <form ref={form} noValidate onSubmit={state.submit} className="card grid gap-5 sm:p-6">
      {draft.after && (
        <Notice title="Your earlier request may have arrived">
          <p className="text-sm">It is cancelled before this one is sent.</p>
        </Notice>
      )}
      {mode === 'guest' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField label="Your name" autoComplete="name" {...bind('senderName')} />
          <PhoneField
            label="Your phone"
            autoComplete="tel-national"
            {...bind('senderPhone', normalizePhone)}
          />
        </div>
      )}
      <ItemField
        value={draft.itemDescription}
        error={state.errorOf('itemDescription')}
        onBlur={() => state.touchAfterClick('itemDescription')}
        onChange={(itemDescription) => state.change({ itemDescription })}
      />
      <RouteAndRecipient state={state} />
      <TextField
        label="Offer (₵)"
        inputMode="decimal"
        autoComplete="off"
        placeholder="60"
        hint="What you pay the driver, in cedis. It is released only when you confirm."
        {...bind('offer', decimal)}
      />
      <ItemPhoto state={state} />
      <Button type="submit" disabled={busy} className="min-h-14 text-lg">
        Request Delivery
      </Button>
    </form>
  )
}

const decimal = (typed: string) => typed.replace(',', '.').replace(/[^\d.]/g, '')

function RouteAndRecipient({ state: { draft, bind } }: Props) {
  const zones = useChoices('zones')
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <SelectField label="Pickup zone" {...bind('pickupZone')}>
        <Zones zones={zones} chosen={draft.pickupZone} />
      </SelectField>
      <SelectField label="Drop-off zone" {...bind('dropoffZone')}>
        <Zones zones={zones} chosen={draft.dropoffZone} />
      </SelectField>
      <TextField label="Recipient name" autoComplete="off" {...bind('recipientName')} />
      <PhoneField
        label="Recipient phone"
        autoComplete="off"
        {...bind('recipientPhone', normalizePhone)}
      />
    </div>
  )
}

/** The zones to choose from, and the chosen one where the list no longer has it. */
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

function ItemPhoto({ state }: Props) {
  const { photo } = state.draft
  return (
    <PhotoPicker
      label="Item photo"
      hint="Kept on this phone and sent with your request."
      error={state.errorOf('photo')}
      preview={
        photo && (
          <LocalPhoto
            id={photo}
            alt="Your item"
            className="h-44 w-full rounded-control object-cover"
          />
        )
      }
      beforeOpen={state.saveNow}
      onPhoto={({ bytes, type }) => state.keepPhoto(bytes, type)}
      onPicked={async (accepted) => {
        state.photoWork.current = accepted
        await accepted
        state.photoWork.current = undefined
      }}
    />
  )
}
